import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { shownReference } from '../present-order.ts'

/* What an officer who dismissed the return of a payment, or a colleague who did not see it, can still do alone. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '100' }, afterAll)
const { call } = started
const [officer, colleague] = await Promise.all([
  aSignedInMember(started, { manage_finance: 2 }),
  aSignedInMember(started, { manage_finance: 2 }),
])
const today = new Date().toISOString().slice(0, 10)
const mapping = {
  columns: { date: 0, amount: 1, reference: 2 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
} as const
const as = ({ token }: TestMember) => ({ token })

async function aPaidOrder(fabQty: string) {
  const member = await aSignedInMember(started)
  const values = { payMethod: 'Bank', currency: 'EUR', fabQty, amount: '100', fabAddress: '' }
  const { id, reference } = await anOrder(started, member.id, values)
  const body = { _id: id, paidAmount: '100', reason: 'Seen in the account.' }
  await call(api.updateOrder, { body }, as(colleague))
  return { id, reference: shownReference(reference), member }
}
const complete = (id: string, by: TestMember) =>
  call(api.updateOrder, { body: { _id: id, status: 'completed' } }, as(by))

async function importAndDismissReturn({ reference }: { reference: string }, by: TestMember) {
  const text = ['Date;Amount;Purpose', `${today};-100;Return ${reference}`, ''].join('\n')
  const body = { file: Buffer.from(text).toString('base64'), mapping }
  await call(api.importOrderPayments, { body: { ...body, seen: [] } }, as(by))
  const { body: lines } = await call(api.listStatementLines, { query: { limit: 100 } }, as(by))
  const { id } = lines.find((line) => line.reference.includes(reference))!
  const { body: line } = await call(
    api.dismissStatementLine,
    { params: { id }, body: { reason: 'Nothing.' } },
    as(by),
  )
  expect(line.state).toBe('dismissed')
}
const withdrawalOf = async (id: string) =>
  (await call(api.getConsoleWithdrawal, { params: { id } }, as(officer))).body.withdrawal!

async function withdraw({ id, member }: { id: string; member: TestMember }, approvers: TestMember[]) {
  await call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress: 'DE02 1203 0000 0000 2020 51' } },
    as(member),
  )
  const { id: withdrawalId } = await withdrawalOf(id)
  for (const by of approvers)
    await call(api.acceptWithdrawal, { params: { id: withdrawalId }, body: { reason: 'In time.' } }, as(by))
  return withdrawalId
}
const refund = (id: string, txId: string, by: TestMember) =>
  call(
    api.recordRefund,
    { params: { id }, body: { amount: '100', txId, paidOn: today, reason: 'As agreed.' } },
    as(by),
  )

test('an officer who dismissed the return of a payment cannot refund it alone', async () => {
  const order = await aPaidOrder('10')
  await importAndDismissReturn(order, officer)
  const withdrawal = await withdraw(order, [officer])
  const txId = `0x${'7'.repeat(64)}`
  expect((await refund(withdrawal, txId, officer)).body.state).toBe('accepted')
  expect((await refund(withdrawal, txId, colleague)).body.state).toBe('refunded')
})

test('a proposal to complete an order ends when a line about it is dismissed', async () => {
  const order = await aPaidOrder('500')
  expect((await complete(order.id, officer)).body.status).toBe('pending')
  await importAndDismissReturn(order, colleague)
  expect((await complete(order.id, colleague)).body.status).toBe('pending')
  expect((await complete(order.id, officer)).body.status).toBe('completed')
})

test('a proposed refund ends when a line about its order is dismissed', async () => {
  const order = await aPaidOrder('500')
  const withdrawal = await withdraw(order, [officer, colleague])
  const txId = `0x${'8'.repeat(64)}`
  expect((await refund(withdrawal, txId, officer)).body.state).toBe('accepted')
  await importAndDismissReturn(order, colleague)
  expect((await refund(withdrawal, txId, colleague)).body.state).toBe('accepted')
  expect((await refund(withdrawal, txId, officer)).body.state).toBe('refunded')
})
