import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { staffDecides } from '#tests/setup/start-api.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

const refundAddress = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const paidOn = new Date().toISOString().slice(0, 10)

test.each([
  ['nothing confirmed', '0', '0.08'],
  ['a small part confirmed', '0.01', '0.07'],
])('one officer alone cannot refund a payment still in the mempool: %s', async (_, confirmed, inPool) => {
  const { started, buyer, chain, order } = await aWatchedSale({ ...staffDecides, WITHDRAWAL_DAYS: '14' })
  const { call } = started
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await aSignedInMember(started, { manage_finance: 2 })
  const id = await order('0.08')
  await chain.look()
  if (confirmed !== '0') {
    await chain.pay({ [id]: confirmed })
    chain.mine(3)
    await chain.look()
  }
  const tx = await chain.pay({ [id]: inPool })
  await chain.look()
  const w = await call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress } },
    { token: buyer.token },
  )
  await call(api.acceptWithdrawal, { params: { id: w.body.id }, body: {} }, { token: officer.token })
  const r = await call(
    api.recordRefund,
    { params: { id: w.body.id }, body: { amount: '0.08', txId: '1'.repeat(64), paidOn, reason: 'Back.' } },
    { token: officer.token },
  )
  chain.drop(tx) // Replaced by its sender.
  chain.mine(2)
  await chain.look()
  // Nothing was received, and only one officer has looked at it.
  expect(r.body?.state).not.toBe('refunded')
  const detail = await call(api.getConsoleWithdrawal, { params: { id } }, { token: officer.token })
  expect(detail.body.withdrawal).toMatchObject({ state: 'accepted', seenOnChain: confirmed })
})

test('a refund defaults to what is final at the order’s address, even if it is too much', async () => {
  const { started, buyer, chain, order } = await aWatchedSale({ ...staffDecides, WITHDRAWAL_DAYS: '14' })
  const { call } = started
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await aSignedInMember(started, { manage_finance: 2 })
  const id = await order('0.08')
  await chain.look()
  await chain.pay({ [id]: '0.09' })
  await chain.look()
  await call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, { token: buyer.token })
  const read = async () =>
    (await call(api.getConsoleWithdrawal, { params: { id } }, { token: officer.token })).body.withdrawal!
  const listed = async () =>
    (await call(api.listConsoleWithdrawals, { query: {} }, { token: officer.token })).body[0]
  expect(await read()).toMatchObject({ amount: '0.08', amountIs: 'due', seenOnChain: '0.09' })
  chain.mine(3)
  await chain.look()
  expect(await read()).toMatchObject({ amount: '0.09', amountIs: 'on_chain', seenOnChain: '0.09' })
  expect(await listed()).toMatchObject({ amount: '0.09', amountIs: 'on_chain' })
  const { id: withdrawal } = await read()
  await call(api.acceptWithdrawal, { params: { id: withdrawal }, body: {} }, { token: officer.token })
  const refund = (amount: string) =>
    call(
      api.recordRefund,
      { params: { id: withdrawal }, body: { amount, txId: '1'.repeat(64), paidOn, reason: 'Back.' } },
      { token: officer.token },
    )
  // A refund of more than the amount due needs two approvals.
  expect((await refund('0.09')).body.state).toBe('accepted')
  expect((await refund('0.08')).body.state).toBe('refunded')
})
