import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { aBankOrder, importStatement } from '#tests/statements.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Withdrawals, cancellations, and refunds after a colleague decided otherwise, or while a line shows a payment. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '10000', WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services } = started
const today = new Date().toISOString().slice(0, 10)
const as = ({ token }: TestMember) => ({ token })
let officer: TestMember
let colleague: TestMember
type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const change = (by: TestMember, _id: string, body: Change) =>
  call(api.updateOrder, { body: { _id, ...body } }, as(by))
const aTxId = () => randomBytes(32).toString('hex')
beforeEach(async () => {
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
})
const bank: StatementMapping = {
  columns: { date: 0, amount: 1, reference: 2 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
}
const csv = (...rows: string[]) => ['Date;Amount;Purpose;Text', ...rows, ''].join('\n')

test('an officer who reversed a colleague’s refusal does not refund the withdrawal alone', async () => {
  const member = await aSignedInMember(started)
  const order = await aBankOrder(started, member)
  await change(colleague, order.id, { paidAmount: '100' })
  const { id } = (
    await call(
      api.requestWithdrawal,
      { params: { id: order.id }, body: { refundAddress: 'DE02 1203 0000 0000 2020 51' } },
      as(member),
    )
  ).body
  await call(api.refuseWithdrawal, { params: { id }, body: { reason: 'No right.' } }, as(colleague))
  const third = await aSignedInMember(started, { manage_finance: 2 })
  await change(third, order.id, { status: 'completed' })
  expect((await change(colleague, order.id, { status: 'completed' })).body.status).toBe('completed')
  const accepted = await call(api.acceptWithdrawal, { params: { id }, body: { reason: 'x' } }, as(officer))
  const refunded = await call(
    api.recordRefund,
    { params: { id }, body: { amount: '100', txId: aTxId(), paidOn: today, reason: 'x' } },
    as(officer),
  )
  expect([accepted.body.state, refunded.body.state]).not.toEqual(['accepted', 'refunded'])
})

test('a large order is not canceled without a word while an open line shows its payment', async () => {
  const order = await aBankOrder(started, await aSignedInMember(started), { fabQty: '60000' })
  // The line has no date, so it waits for a person.
  await importStatement(started, colleague, csv(`;100;${order.reference};`), bank)
  const { body: lines } = await call(api.listStatementLines, { query: { limit: 100 } }, as(colleague))
  expect(lines.some(({ reference, orderId }) => reference === order.reference && orderId === order.id)).toBe(
    true,
  )
  const cancelled = await change(officer, order.id, { status: 'cancelled' })
  expect(cancelled.status).toBe(400)
})

test('an order whose payment waits as an open line is not canceled as unpaid', async () => {
  const { enforceDeadlines } = await import('../deadline-worker.ts')
  const { moveDeadline } = await import('#tests/orders.ts')
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member, 'BTC', '0.05')
  const mapping: StatementMapping = { ...bank, currency: 'BTC' }
  await importStatement(started, colleague, csv(`;0.05;${order.reference};`), mapping)
  const { body: lines } = await call(api.listStatementLines, { query: { limit: 100 } }, as(colleague))
  expect(lines.some(({ orderId }) => orderId === order._id)).toBe(true)
  await moveDeadline(started, order._id, -60)
  await enforceDeadlines(services)
  const { status } = await services.db
    .selectFrom('token_order')
    .select('status')
    .where('id', '=', order._id)
    .executeTakeFirstOrThrow()
  expect(status).toBe('pending')
})

test('a refund that a colleague’s overlapping import raised again is not sent by one officer', async () => {
  const member = await aSignedInMember(started)
  const order = await aBankOrder(started, member)
  const withId: StatementMapping = { ...bank, columns: { ...bank.columns, txId: 3 } }
  const txId = aTxId()
  await importStatement(started, colleague, csv(`${today};100;${order.reference};${txId}`), withId)
  await change(colleague, order.id, { paidAmount: '1', reason: 'The bank took 99 back.' })
  // Another officer imports the same payment in another format, in good faith.
  const third = await aSignedInMember(started, { manage_finance: 2 })
  const other = ['Date;Amount;Purpose;Text;Balance', `${today};100;${order.reference};${txId};500`, ''].join(
    '\n',
  )
  await importStatement(started, third, other, withId)
  const { id } = (
    await call(
      api.requestWithdrawal,
      { params: { id: order.id }, body: { refundAddress: 'DE02 1203 0000 0000 2020 51' } },
      as(member),
    )
  ).body
  await call(api.acceptWithdrawal, { params: { id }, body: {} }, as(officer))
  const refunded = await call(
    api.recordRefund,
    { params: { id }, body: { amount: '100', txId: aTxId(), paidOn: today, reason: 'Agreed.' } },
    as(officer),
  )
  expect(refunded.body.state).not.toBe('refunded')
})
