import { shownReference } from '../../../platform/text/order-reference.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { importStatement } from '#tests/statements.ts'
import { enforceDeadlines } from '../deadline-worker.ts'
import type { OrderChange } from '../order.queries.ts'

/* A line at an address that several orders share may show a payment for each order that it fits. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
// With a second finance member, large orders require four-eyes approval.
await aSignedInMember(started, { manage_finance: 2 })
const as = ({ token }: TestMember) => ({ token })
const refundAddress = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const now = () => new Date().toISOString().slice(0, 16).replace('T', ' ')
const today = () => now().slice(0, 10)
const daysAgo = (days: number) => sql<Date>`now() - ${days} * interval '1 day'`

let places = 0
/** An address that only the orders of one test share. */
const aPlace = () => `TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbL${String((places += 1)).padStart(2, 'a')}`

/** An order of a new member that waits for 1,000 USDT at the address. */
async function aWaiting(receivingAddress: string, change: OrderChange = {}, member?: TestMember) {
  const owner = member ?? (await aSignedInMember(started))
  const values = { payMethod: 'USDT', currency: 'USDT', amount: '1000', fabQty: '5' }
  const { id, reference } = await anOrder(started, owner.id, { ...values, receivingAddress, ...change })
  await moveDeadline(started, id, 3600)
  return { id, member: owner, reference: shownReference(reference) }
}

const mapping: StatementMapping = {
  columns: { date: 0, amount: 1, currency: 2, address: 3, txId: 4, reference: 5 },
  numbers: 'plain',
  dates: 'iso',
}
let lines = 0
type Line = { amount?: string; currency?: string; date?: string; memo?: string }

/** Imports a line for the address, and returns the open line. */
async function receive(
  address: string,
  { amount = '1000', currency = 'USDT', date = today(), memo = '' }: Line = {},
) {
  const txId = `USDT-TX-${(lines += 1)}`
  const row = [date, amount, currency, address, txId, memo].join(';')
  await importStatement(started, finance, `Time;Amount;Coin;Address;TxID;Memo\n${row}\n`, mapping)
  const { body } = await call(api.listStatementLines, { query: { limit: 100 } }, as(finance))
  return body.find((line) => line.txId === txId)!
}

const consoleOrder = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, as(finance))).body
const stateOf = async ({ id }: { id: string }) => (await consoleOrder(id)).order.status
async function stateAfterDeadline(order: { id: string }) {
  await moveDeadline(started, order.id, -60)
  await enforceDeadlines(services)
  return stateOf(order)
}
const dismiss = (id: string) =>
  call(api.dismissStatementLine, { params: { id }, body: { reason: 'Sent back.' } }, as(finance))

test.each([
  ['the amount of two orders', '1000', 'ambiguous'],
  ['about the amount of the orders', '999.5', 'shared_address'],
])('a line with %s keeps both at the deadline until it is resolved', async (_, amount, problem) => {
  const at = aPlace()
  const [one, other] = [await aWaiting(at), await aWaiting(at)]
  const line = await receive(at, { amount })
  expect([line.problem, line.orderId]).toEqual([problem, null])
  expect([await stateAfterDeadline(one), await stateAfterDeadline(other)]).toEqual(['pending', 'pending'])
  await dismiss(line.id)
  await enforceDeadlines(services)
  expect([await stateOf(one), await stateOf(other)]).toEqual(['cancelled', 'cancelled'])
})

test('a line that is assigned to one order no longer keeps the other', async () => {
  const at = aPlace()
  const [one, other] = [await aWaiting(at), await aWaiting(at)]
  const line = await receive(at)
  const body = { reference: one.reference, reason: 'The sender confirmed it.' }
  expect((await call(api.assignStatementLine, { params: { id: line.id }, body }, as(finance))).status).toBe(
    200,
  )
  expect([await stateAfterDeadline(one), await stateAfterDeadline(other)]).toEqual(['pending', 'cancelled'])
})

test('a line that was marked as a possible duplicate still keeps both orders', async () => {
  const at = aPlace()
  const [one, other] = [await aWaiting(at), await aWaiting(at)]
  const line = await receive(at)
  await services.db
    .updateTable('statement_line')
    .set({ problem: 'looks_imported', order_id: one.id })
    .where('id', '=', line.id)
    .execute()
  expect([await stateAfterDeadline(one), await stateAfterDeadline(other)]).toEqual(['pending', 'pending'])
})

test('a member who only reports the transaction of a line takes no protection from other orders', async () => {
  const at = aPlace()
  const [thief, payer] = [await aWaiting(at), await aWaiting(at, { amount: '1001' })]
  const txId = `USDT-TX-${lines + 1}`
  await call(api.reportPayment, { params: { id: thief.id }, body: { txId } }, as(thief.member))
  expect(await receive(at)).toMatchObject({ problem: 'reported_only', orderId: thief.id })
  expect(await stateAfterDeadline(payer)).toBe('pending')
})

test('no reminder is sent for orders that a line fits', async () => {
  const at = aPlace()
  const [one, other] = [await aWaiting(at), await aWaiting(at)]
  const line = await receive(at)
  for (const { id } of [one, other]) await moveDeadline(started, id, 60)
  await enforceDeadlines(services)
  expect(await orderMailsTo(started, one.member)).not.toContain('order-reminder')
  await dismiss(line.id)
  await enforceDeadlines(services)
  expect(await orderMailsTo(started, other.member)).toContain('order-reminder')
})

test('a withdrawal from an order that a line fits neither ends as unpaid nor can be closed as unpaid', async () => {
  const at = aPlace()
  const [{ id, member }] = [await aWaiting(at), await aWaiting(at)]
  const line = await receive(at)
  const right = await call(api.getWithdrawalRight, { params: { id } }, as(member))
  expect(right.body.isUnpaid).toBe(false)
  const asked = await call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, as(member))
  expect(asked.body.state).toBe('requested')
  const { body } = await call(api.getConsoleWithdrawal, { params: { id } }, as(finance))
  const close = () =>
    call(
      api.closeWithdrawal,
      { params: { id: body.withdrawal!.id }, body: { reason: 'Nothing came.' } },
      as(finance),
    )
  expect((await close()).problem.code).toBe('conflict')
  await dismiss(line.id)
  expect((await close()).status).toBe(200)
})

test('finance needs a reason to cancel an order that a line fits, and a withdrawal if the order is large', async () => {
  const at = aPlace()
  const [small, large] = [await aWaiting(at), await aWaiting(at, { fabQty: '60000' })]
  const cancel = (id: string, reason?: string) =>
    call(api.updateOrder, { body: { _id: id, status: 'cancelled', ...(reason && { reason }) } }, as(finance))
  expect((await consoleOrder(large.id)).cancellingNeeds).toBe('nothing')
  await receive(at)
  expect((await consoleOrder(small.id)).cancellingNeeds).toBe('reason')
  expect((await cancel(small.id)).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  expect(await consoleOrder(large.id)).toMatchObject({ cancellingNeeds: 'withdrawal', canRefund: true })
  expect((await cancel(large.id, 'They changed their mind.')).status).not.toBe(200)
  expect((await cancel(small.id, 'They changed their mind.')).status).toBe(200)
})

test.each<[string, Line]>([
  ['differs by more than the tolerance', { amount: '989' }],
  ['is in another currency', { currency: 'USDC' }],
  ['was booked before the orders were placed', { date: '2026-01-02' }],
])('a line that %s keeps no order', async (_, line) => {
  const at = aPlace()
  const [one, other] = [await aWaiting(at), await aWaiting(at)]
  await receive(at, line)
  expect([await stateAfterDeadline(one), await stateAfterDeadline(other)]).toEqual(['cancelled', 'cancelled'])
})

test('a line at another address keeps no order', async () => {
  const order = await aWaiting(aPlace())
  await receive(aPlace())
  expect(await stateAfterDeadline(order)).toBe('cancelled')
})

test('a line with the date of the day on which the order was placed keeps the order', async () => {
  const at = aPlace()
  const order = await aWaiting(at, { amount: '1001' })
  // A date alone is read as midnight, before the order was placed.
  await receive(at, { date: today() })
  expect(await stateAfterDeadline(order)).toBe('pending')
})

test('a line that was imported before the order was placed does not keep it', async () => {
  const at = aPlace()
  const early = await aWaiting(at)
  await receive(at)
  const late = await aWaiting(at)
  expect([await stateAfterDeadline(early), await stateAfterDeadline(late)]).toEqual(['pending', 'cancelled'])
})

test('a line without a date keeps the orders', async () => {
  const at = aPlace()
  const order = await aWaiting(at, { amount: '1001' })
  await receive(at, { date: '' })
  expect(await stateAfterDeadline(order)).toBe('pending')
})

test('a line that names an order of another member keeps only that order', async () => {
  const at = aPlace()
  const [named, other] = [await aWaiting(at), await aWaiting(at)]
  const ofSameMember = await aWaiting(at, {}, named.member)
  // The line stays open because it names two orders.
  await receive(at, { memo: `${named.reference} ${ofSameMember.reference}` })
  expect([
    await stateAfterDeadline(named),
    await stateAfterDeadline(ofSameMember),
    await stateAfterDeadline(other),
  ]).toEqual(['pending', 'pending', 'cancelled'])
})

test('a hundred orders that a line fits are kept for a week after their deadline, and no longer', async () => {
  const at = aPlace()
  const owner = await aSignedInMember(started)
  for (let n = 0; n < 100; n += 1) await aWaiting(at, {}, owner)
  await receive(at)
  const pending = async () =>
    (
      await services.db
        .selectFrom('token_order')
        .select('id')
        .where('receiving_address', '=', at)
        .where('status', '=', 'pending')
        .execute()
    ).length
  const passed = async (days: number) => {
    await services.db
      .updateTable('token_order')
      .set({ pay_before: daysAgo(days) })
      .where('receiving_address', '=', at)
      .execute()
    await enforceDeadlines(services)
    return pending()
  }
  expect(await passed(6.9)).toBe(100)
  // A further line doesn't extend the week.
  await receive(at)
  expect(await passed(7.1)).toBe(0)
})
