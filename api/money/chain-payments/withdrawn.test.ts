import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

test('closes no withdrawal as unpaid, and cancels no order without a reason, if the chain shows a payment', async () => {
  const { started, buyer, chain, order } = await aWatchedSale({
    WITHDRAWAL_DAYS: '14',
    ORDER_TWO_PERSONS_FROM: 'off',
  })
  const { call } = started
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const by = { token: officer.token }
  const ids = [await order('0.08'), await order('0.07')] as const
  await chain.look()
  // Too little, and no one recorded it, but it arrived.
  for (const id of ids) await chain.pay({ [id]: '0.02' })
  await chain.look()
  const cancel = { _id: ids[1], status: 'cancelled' } as const
  expect((await call(api.updateOrder, { body: cancel }, by)).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  const asked = await call(
    api.requestWithdrawal,
    { params: { id: ids[0] }, body: { refundAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' } },
    { token: buyer.token },
  )
  const params = { id: asked.body.id }
  const reason = 'Nothing came.'
  expect((await call(api.closeWithdrawal, { params, body: { reason } }, by)).problem.code).toBe('conflict')
  expect((await call(api.acceptWithdrawal, { params, body: {} }, by)).body.state).toBe('accepted')
  expect((await call(api.closeWithdrawal, { params, body: { reason } }, by)).problem.code).toBe('conflict')
})
