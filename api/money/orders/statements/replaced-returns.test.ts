import { shownReference } from '../../../platform/text/order-reference.ts'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { importStatement } from '#tests/statements.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* A returned payment must stop its order until someone resolves the line. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '10000', WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services } = started
const today = new Date().toISOString().slice(0, 10)
const as = ({ token }: TestMember) => ({ token })
let officer: TestMember
let colleague: TestMember
const aTxId = () => randomBytes(12).toString('hex')
const mapping: StatementMapping = {
  columns: { date: 0, amount: 1, reference: 2, txId: 3 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
}
type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const change = (by: TestMember, _id: string, body: Change) =>
  call(api.updateOrder, { body: { _id, ...body } }, as(by))
const csv = (...rows: string[]) => ['Date;Amount;Purpose;Id', ...rows, ''].join('\n')
const anOwn = async (fabQty = '5') => {
  const member = await aSignedInMember(started)
  const { id, reference } = await anOrder(started, member.id, {
    payMethod: 'Bank',
    currency: 'EUR',
    fabQty,
    amount: '100',
  })
  return { id, reference: shownReference(reference), member }
}
const flagsOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, as(colleague))).body.flags
const openLines = async (text: string) =>
  (await call(api.listStatementLines, { query: { limit: 100 } }, as(colleague))).body.filter(
    ({ reference, txId }) => `${reference} ${txId}`.includes(text),
  )

beforeEach(async () => {
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
})

test.each(['replaced', 'removed'] as const)(
  'a returned payment still stops its order after one officer %s the transaction',
  async (how) => {
    const order = await anOwn()
    const txId = aTxId()
    // The debit is imported before the order names its transaction.
    await importStatement(started, colleague, csv(`${today};-100;Return;${txId}`), mapping)
    const report = await call(
      api.reportPayment,
      { params: { id: order.id }, body: { txId } },
      as(order.member),
    )
    expect(report.status).toBe(200)
    expect(await flagsOf(order.id)).toContain('payment_returned')
    expect(await openLines(txId)).toHaveLength(1)
    const blocked = await change(officer, order.id, {
      status: 'completed',
      paidAmount: '100',
      reason: 'Seen.',
    })
    expect(blocked.problem.errors).toMatchObject([{ path: 'payment', code: 'unsettled' }])
    const swapped = await change(officer, order.id, {
      txId: how === 'replaced' ? aTxId() : null,
      reason: 'A typing error.',
    })
    const found = {
      status: swapped.status,
      flags: await flagsOf(order.id),
      open: (await openLines(txId)).length,
    }
    const done = await change(officer, order.id, { status: 'completed', paidAmount: '100', reason: 'Seen.' })
    expect({ ...found, done: done.status === 200 && done.body.status }).toMatchObject({
      flags: expect.arrayContaining(['payment_returned']) as unknown,
      open: 1,
      done: false,
    })
  },
)

test('the same for a large order: the approver still sees that the payment was returned', async () => {
  const order = await anOwn('50000')
  const txId = aTxId()
  await importStatement(started, colleague, csv(`${today};-100;Return;${txId}`), mapping)
  await call(api.reportPayment, { params: { id: order.id }, body: { txId } }, as(order.member))
  expect(await flagsOf(order.id)).toContain('payment_returned')
  await change(officer, order.id, { txId: aTxId(), reason: 'A typing error.' })
  await change(officer, order.id, { status: 'completed', paidAmount: '100', reason: 'Seen.' })
  const flags = await flagsOf(order.id)
  const done = await change(colleague, order.id, { status: 'completed' })
  expect({ flags, done: done.body.status ?? done.status }).toMatchObject({
    flags: expect.arrayContaining(['payment_returned']) as unknown,
  })
})

test('a dismissed return of a transaction counts for the order that names the transaction later', async () => {
  const [dummy, order] = [await anOwn(), await anOwn()]
  const txId = aTxId()
  await importStatement(started, officer, csv(`${today};-100;Return;${txId}`), mapping)
  await change(officer, dummy.id, { txId })
  const [line] = await openLines(txId)
  expect(line).toBeDefined()
  const dismissed = await call(
    api.dismissStatementLine,
    { params: { id: line!.id }, body: { reason: 'Not ours.' } },
    as(officer),
  )
  expect(dismissed.status).toBe(200)
  await change(officer, dummy.id, { txId: aTxId(), reason: 'A typing error.' })
  const named = await change(officer, order.id, {
    txId,
    sharesTransaction: true,
    reason: 'It pays this one.',
  })
  expect(named.status).toBe(200)
  await change(colleague, order.id, { paidAmount: '100' })
  const done = await change(officer, order.id, { status: 'completed' })
  expect(done.problem.code).toBe('conflict')
})

test('the refund of an order waits while its payment is shown as returned under a replaced transaction', async () => {
  const order = await anOwn()
  const txId = aTxId()
  await importStatement(started, colleague, csv(`${today};-100;Return;${txId}`), mapping)
  await call(api.reportPayment, { params: { id: order.id }, body: { txId } }, as(order.member))
  expect(await flagsOf(order.id)).toContain('payment_returned')
  // The officer replaces the transaction; then a colleague records the payment that the statement of last week shows.
  await change(officer, order.id, { txId: aTxId(), reason: 'A typing error.' })
  await change(colleague, order.id, { paidAmount: '100' })
  const { id } = (
    await call(
      api.requestWithdrawal,
      { params: { id: order.id }, body: { refundAddress: 'DE02 1203 0000 0000 2020 51' } },
      as(order.member),
    )
  ).body
  await call(api.acceptWithdrawal, { params: { id }, body: { reason: 'In time.' } }, as(officer))
  const refunded = await call(
    api.recordRefund,
    { params: { id }, body: { amount: '100', txId: aTxId(), paidOn: today, reason: 'Agreed.' } },
    as(officer),
  )
  expect(refunded.body.state).not.toBe('refunded')
})

test('a member cannot shed the return of a payment', async () => {
  const order = await anOwn()
  const txId = aTxId()
  await importStatement(started, colleague, csv(`${today};-100;Return;${txId}`), mapping)
  await call(api.reportPayment, { params: { id: order.id }, body: { txId } }, as(order.member))
  const again = await call(
    api.reportPayment,
    { params: { id: order.id }, body: { txId: aTxId() } },
    as(order.member),
  )
  expect(again.status).toBe(409)
  expect(await flagsOf(order.id)).toContain('payment_returned')
})
void services
