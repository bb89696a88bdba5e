import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBankOrder, importStatement } from '#tests/statements.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Lines that name an order in a way that only stops orders. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '10000' }, afterAll)
const { call } = started
const today = new Date().toISOString().slice(0, 10)
const as = ({ token }: TestMember) => ({ token })
let officer: TestMember
let colleague: TestMember
const mapping: StatementMapping = {
  columns: { date: 0, amount: 1, reference: 2 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
}
const csv = (row: string) => ['Date;Amount;Purpose;Further text', row, ''].join('\n')
beforeEach(async () => {
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
})

let count = 0
const wrapped = (reference: string) => `${reference.slice(0, -3)} ${reference.slice(-3)}`
const rows: [string, (reference: string, mark: string) => string][] = [
  ['whole', (reference, mark) => `${today};100;${mark} ${reference};`],
  ['wrapped by the bank', (reference, mark) => `${today};100;${mark} ${wrapped(reference)};`],
  ['in another column', (reference, mark) => `${today};100;${mark};${reference}`],
  ['followed by a digit', (reference, mark) => `${today};100;${mark} ${reference}0;`],
]
test.each(rows)(
  'a payment that names an order is not assigned to another member’s order: %s',
  async (_, rowOf) => {
    const paid = await aBankOrder(started, await aSignedInMember(started))
    const other = await aBankOrder(started, await aSignedInMember(started), { amount: '200' })
    count += 1
    const mark = `mark${count}x`
    // The whole reference is only kept open because the order has a payment already.
    if (_ === 'whole')
      await call(api.updateOrder, { body: { _id: paid.id, paidAmount: '99' } }, as(colleague))
    await importStatement(started, colleague, csv(rowOf(paid.reference, mark)), mapping)
    const { body: lines } = await call(api.listStatementLines, { query: { limit: 100 } }, as(officer))
    const line = lines.find(({ reference }) => reference.includes(mark))
    expect(line).toBeDefined()
    const assigned = await call(
      api.assignStatementLine,
      { params: { id: line!.id }, body: { reference: other.reference, reason: 'The sender is the member.' } },
      as(officer),
    )
    expect([assigned.status, assigned.problem.errors]).toMatchObject([400, [{ code: 'names_other_order' }]])
  },
)

test('a payment of a transaction that another member reported is not assigned to a friend’s order unnoticed', async () => {
  const victim = await aSignedInMember(started)
  const paid = await aBankOrder(started, victim)
  const other = await aBankOrder(started, await aSignedInMember(started))
  const txId = 'bank payment 4711 abc'
  await call(api.reportPayment, { params: { id: paid.id }, body: { txId } }, as(victim))
  const withId: StatementMapping = { ...mapping, columns: { ...mapping.columns, txId: 3 } }
  await importStatement(started, colleague, csv(`${today};100;from someone;${txId}`), withId)
  const { body: lines } = await call(api.listStatementLines, { query: { limit: 100 } }, as(officer))
  const line = lines.find((each) => each.txId === txId)!
  const assigned = await call(
    api.assignStatementLine,
    { params: { id: line.id }, body: { reference: other.reference, reason: 'The sender is the member.' } },
    as(officer),
  )
  expect(assigned.status).not.toBe(200)
})

test('a line with the reference of an order is recorded with any amount, and completing the order needs a reason', async () => {
  const receivingAddress = 'DE89 3704 0044 0532 0130 00'
  const order = await aBankOrder(started, await aSignedInMember(started), { receivingAddress })
  const { done } = await importStatement(started, colleague, csv(`${today};10;${order.reference};`), mapping)
  expect(done).toMatchObject({ problems: [], open: 0, lines: [{ amount: '10', due: '100' }] })
  const { body } = await call(api.getConsoleOrder, { params: { id: order.id } }, as(officer))
  expect(body).toMatchObject({ paidAmount: '10', flags: [], order: { status: 'pending' } })
  const completing = { body: { _id: order.id, status: 'completed' as const } }
  expect((await call(api.updateOrder, completing, as(officer))).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
})
