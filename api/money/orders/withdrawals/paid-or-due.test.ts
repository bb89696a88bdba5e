import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { asGift } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services, mailsTo } = started
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const paidOn = new Date().toISOString().slice(0, 10)
const finance = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: finance.token }
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`

async function aBuyer(fields: Parameters<typeof anOrder>[2] = {}) {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '10', ...fields })
  const of = { token: member.token }
  return {
    id,
    email: member.email,
    report: (txId: string) => call(api.reportPayment, { params: { id }, body: { txId } }, of),
    withdraw: async () =>
      (await call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, of)).body.id,
    ask: () => call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, of),
    right: () => call(api.getWithdrawalRight, { params: { id } }, of),
    settle: (flag: 'disputed' | 'reportedLate') =>
      call(api.updateOrder, { body: { _id: id, [flag]: false, reason: 'Looked at.' } }, by),
    complete: () => call(api.updateOrder, { body: { _id: id, ...asGift } }, by),
    read: async () => (await call(api.getConsoleWithdrawal, { params: { id } }, by)).body.withdrawal!,
  }
}
const accept = (id: string) => call(api.acceptWithdrawal, { params: { id }, body: {} }, by)
const close = (id: string, reason = 'It is on no chain.') =>
  call(api.closeWithdrawal, { params: { id }, body: { reason } }, by)
const refund = (id: string, body: object = {}) =>
  call(api.recordRefund, { params: { id }, body: { amount: '1.5', txId: aTx(), paidOn, ...body } }, by)
const unsettled = (path: string) => [{ path, code: 'unsettled' }]
const seenOnChain = (order_id: string, received: string) =>
  services.db
    .insertInto('chain_payment')
    .values({ order_id, coin: 'ETH', state: 'too_much', received })
    .execute()
test('naming another order’s payment gives no refund: its owner is determined first', async () => {
  const payer = await aBuyer()
  const other = await aBuyer()
  const txId = aTx()
  await payer.report(txId)
  expect((await other.report(txId)).problem.code).toBe('conflict')
  const withdrawal = await other.withdraw()
  expect(await other.read()).toMatchObject({ amountIs: 'due', unsettled: ['disputed'] })
  const refused = await accept(withdrawal)
  expect([refused.status, refused.problem.errors]).toMatchObject([409, unsettled('disputed')])
  await other.settle('disputed')
  expect((await accept(withdrawal)).body.state).toBe('accepted')
  expect((await refund(withdrawal)).problem.errors?.[0]).toMatchObject({ path: 'reason', code: 'required' })
  await payer.settle('disputed')
  expect((await payer.complete()).body.status).toBe('completed')
})

test('a made-up transaction does not count as received, and a refund needs a reason', async () => {
  const buyer = await aBuyer()
  await buyer.report(aTx())
  const withdrawal = await buyer.withdraw()
  await accept(withdrawal)
  expect(await buyer.read()).toMatchObject({ amount: '1.5', amountIs: 'due', unsettled: [] })
  expect((await refund(withdrawal)).problem.errors?.[0]).toMatchObject({ path: 'reason', code: 'required' })
  expect((await buyer.read()).state).toBe('accepted')
  // Closing it because nothing arrived needs a reason, and the member is notified.
  expect((await close(withdrawal, '')).problem.errors?.[0]).toMatchObject({ path: 'reason' })
  expect((await close(withdrawal)).body).toMatchObject({ state: 'unpaid', orderStatus: 'cancelled' })
  const last = (await mailsTo(buyer.email)).at(-1)
  expect(last).toMatchObject({ kind: 'order-withdrawal-closed' })
  expect(last?.text).toContain('It is on no chain.')
  expect((await close(withdrawal)).problem.code).toBe('conflict')
  // The payment arrived after all.
  expect((await accept(withdrawal)).body.state).toBe('accepted')
})

test('a gift cannot be refunded or withdrawn from', async () => {
  const given = await aBuyer()
  expect((await given.complete()).body.status).toBe('completed')
  expect((await given.right()).body).toMatchObject({ canRequest: false, withdrawal: null })
  expect((await given.ask()).problem.code).toBe('conflict')
})

test('if finance recorded that nothing arrived, the amount due is not refunded', async () => {
  const buyer = await aBuyer()
  await buyer.report(aTx())
  await call(api.updateOrder, { body: { _id: buyer.id, paidAmount: '0', reason: 'On no chain.' } }, by)
  const withdrawal = await buyer.withdraw()
  expect(await buyer.read()).toMatchObject({ amount: '0', amountIs: 'received' })
  await accept(withdrawal)
  const refused = await refund(withdrawal, { reason: 'Agreed.' })
  expect(refused.problem.errors).toMatchObject([{ path: 'amount', code: 'too_much' }])
  expect((await close(withdrawal)).body.state).toBe('unpaid')
})

test('an address given for an unpaid order is available when a payment arrives late', async () => {
  const unpaid = await aBuyer()
  const withdrawal = await unpaid.withdraw()
  expect(await unpaid.read()).toMatchObject({ state: 'unpaid', refundChain: 'ethereum' })
  const accepted = await accept(withdrawal)
  expect(accepted.body).toMatchObject({ state: 'accepted', withdrawal: { refundAddress } })
})

test('closes a request without a payment at once; a received or delivered one is refunded', async () => {
  const made = await aBuyer()
  await made.report(aTx())
  const first = await made.withdraw()
  expect((await close(first)).body).toMatchObject({ state: 'unpaid', orderStatus: 'cancelled' })
  for (const paid of [
    await aBuyer({ txId: aTx(), paidAmount: '1.5' }),
    await aBuyer({ status: 'completed' }),
  ]) {
    const withdrawal = await paid.withdraw()
    expect((await close(withdrawal)).problem.code).toBe('conflict')
    expect((await paid.read()).state).toBe('requested')
  }
})

test.each(['is_disputed', 'is_reported_late'] as const)(
  'a flag raised after acceptance also blocks the refund: %s',
  async (flag) => {
    const buyer = await aBuyer({ txId: aTx(), paidAmount: '1.5' })
    const withdrawal = await buyer.withdraw()
    await accept(withdrawal)
    await services.db
      .updateTable('token_order')
      .set({ [flag]: true })
      .where('id', '=', buyer.id)
      .execute()
    const path = flag === 'is_disputed' ? 'disputed' : 'reportedLate'
    expect((await refund(withdrawal)).problem.errors).toMatchObject(unsettled(path))
    await buyer.settle(path)
    expect((await refund(withdrawal)).body.state).toBe('refunded')
  },
)

test('refunding a payment that another order had needs a reason', async () => {
  const buyer = await aBuyer()
  const txId = aTx()
  await buyer.report(txId)
  await buyer.report(aTx())
  const payer = await aBuyer({ status: 'completed', txId })
  await call(api.updateOrder, { body: { _id: buyer.id, paidAmount: '1.5' } }, by)
  const withdrawal = await buyer.withdraw()
  await accept(withdrawal)
  expect(await buyer.read()).toMatchObject({ amountIs: 'received', isPaymentShared: true })
  expect((await refund(withdrawal)).problem.errors?.[0]).toMatchObject({ path: 'reason', code: 'required' })
  expect((await refund(withdrawal, { reason: 'Paid twice.' })).body.state).toBe('refunded')
  expect(payer.id).not.toBe(buyer.id)
})

test('refunds an overpayment completely, unless a reason explains otherwise', async () => {
  const recorded = await aBuyer({ txId: aTx(), paidAmount: '2' })
  const first = await recorded.withdraw()
  await accept(first)
  expect(await recorded.read()).toMatchObject({ amount: '2', amountIs: 'received' })
  expect((await refund(first)).problem.errors?.[0]?.path).toBe('reason')
  expect((await refund(first, { amount: '2' })).body.state).toBe('refunded')

  // At a shared address, someone else may have paid.
  const shared = await aBuyer({ txId: aTx() })
  await seenOnChain(shared.id, '2')
  await shared.withdraw()
  expect(await shared.read()).toMatchObject({ amount: '1.5', amountIs: 'due', seenOnChain: '2' })

  const less = await aBuyer({ txId: aTx(), paidAmount: '1.5' })
  await seenOnChain(less.id, '2')
  const third = await less.withdraw()
  await accept(third)
  expect((await refund(third)).problem.errors?.[0]?.path).toBe('reason')
})
