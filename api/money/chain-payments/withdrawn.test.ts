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

test('the email about a canceled order mentions every payment that the order page offers to refund', async () => {
  const { started, buyer, chain, order } = await aWatchedSale({
    WITHDRAWAL_DAYS: '14',
    CHAIN_COMPLETE: 'off',
  })
  const { call, mailsTo } = started
  const { token } = await aSignedInMember(started, { manage_finance: 2 })
  const [part, surplus, unconfirmed, unpaid] = [
    await order('0.08'),
    await order('0.07'),
    await order('0.06'),
    await order('0.05'),
  ]
  await chain.look()
  await chain.pay({ [part]: '0.02' })
  await chain.pay({ [surplus]: '0.1' })
  chain.mine(4)
  await chain.pay({ [unconfirmed]: '0.06' })
  await chain.look()
  for (const [id, isOffered] of [
    [part, true],
    [surplus, true],
    [unconfirmed, true],
    [unpaid, false],
  ] as const) {
    const cancelled = { _id: id, status: 'cancelled', reason: 'As agreed.' } as const
    expect((await call(api.updateOrder, { body: cancelled }, { token })).body.status).toBe('cancelled')
    const right = await call(api.getWithdrawalRight, { params: { id } }, { token: buyer.token })
    expect(right.body.canRequest).toBe(isOffered)
    const mail = (await mailsTo(buyer.email)).at(-1)!
    expect(mail.kind).toBe(isOffered ? 'order-cancelled-paid' : 'order-cancelled')
  }
})
