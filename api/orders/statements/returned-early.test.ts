import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/statements.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { shownReference } from '../present-order.ts'

/* A payment that was returned before anyone recorded it. */

const started = await startApi({}, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: officer.token }
const today = new Date().toISOString().slice(0, 10)
const reason = 'Seen in the bank account.'
const blocked = { code: 'conflict', errors: [{ path: 'payment', code: 'unsettled' }] }

async function anUnpaid(amount = '100') {
  const member = await aSignedInMember(started)
  const { id, reference } = await anOrder(started, member.id, {
    payMethod: 'Bank',
    currency: 'EUR',
    fabQty: '5',
    amount,
  })
  return { id, reference: shownReference(reference), member }
}
const mapping: StatementMapping = {
  columns: { date: 0, amount: 1, reference: 2, txId: 3, complete: 4 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
}
/** Rows of amount, purpose, transaction, and whether to complete the order. */
async function importing(...rows: string[]) {
  const text = ['Date;Amount;Purpose;TxID;Complete', ...rows.map((row) => `${today};${row}`), ''].join('\n')
  const body = { file: Buffer.from(text).toString('base64'), mapping }
  const send = (more: object) => call(api.importOrderPayments, { body: { ...body, ...more } }, by)
  const shown = (await send({})).body
  const done = (await send({ seen: shown.lines.map(({ id, updatedAt }) => ({ id, updatedAt })) })).body
  const outcomeOf = ({ lines, problems, ignored, open }: typeof done) => ({
    recorded: lines.filter(({ effect }) => effect !== 'nothing').map(({ effect }) => effect),
    problems: problems.map(({ problem }) => problem),
    ignored,
    open,
  })
  expect(outcomeOf(shown)).toEqual(outcomeOf(done))
  return outcomeOf(done)
}
const openLines = async () => (await call(api.listStatementLines, { query: { limit: 100 } }, by)).body
const linesAbout = async (text: string) =>
  (await openLines()).filter((line) => `${line.reference} ${line.txId}`.includes(text))
const dismiss = (id: string) =>
  call(api.dismissStatementLine, { params: { id }, body: { reason: 'It came again.' } }, by)
const update = (id: string, more: object) => call(api.updateOrder, { body: { _id: id, ...more } }, by)
const complete = (id: string) => update(id, { status: 'completed' })
const flagsOf = async (id: string) => (await call(api.getConsoleOrder, { params: { id } }, by)).body.flags
let count = 0
const aTransaction = () => `Transfer ${(count += 1)} of ${today}`

test('an order isn’t completed if its payment went back before someone recorded it', async () => {
  const order = await anUnpaid()
  expect(await importing(`-100;Return ${order.reference};;`)).toMatchObject({
    problems: ['returned'],
    open: 1,
  })
  expect(await flagsOf(order.id)).toContain('payment_returned')
  expect((await update(order.id, { paidAmount: '100', reason })).status).toBe(200)
  expect((await complete(order.id)).problem).toMatchObject(blocked)
  const [line] = await linesAbout(order.reference)
  await dismiss(line!.id)
  expect((await complete(order.id)).status).toBe(200)
})

test('a payment that its bank returns before the date that finance typed stops the completion', async () => {
  const order = await anUnpaid()
  const paidAt = new Date().toISOString()
  await update(order.id, { paidAmount: '100', paidAt, reason })
  const text = `Date;Amount;Purpose\n2026-01-02;-100;Return ${order.reference}\n`
  const { date, amount, reference } = mapping.columns
  const body = {
    file: Buffer.from(text).toString('base64'),
    mapping: { ...mapping, columns: { date, amount, reference } },
  }
  expect((await call(api.importOrderPayments, { body: { ...body, seen: [] } }, by)).body.open).toBe(1)
  expect((await complete(order.id)).problem).toMatchObject(blocked)
})

test('a debit is kept until an order names its transaction', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  expect(await importing(`-100;Outgoing;${txId};`)).toEqual({
    recorded: [],
    problems: [],
    ignored: 1,
    open: 0,
  })
  expect(await linesAbout(txId)).toEqual([])
  await update(order.id, { txId, paidAmount: '100', reason })
  const [line] = await linesAbout(txId)
  expect(line).toMatchObject({ problem: 'outgoing', orderId: order.id, orderReference: order.reference })
  expect(await flagsOf(order.id)).toContain('payment_returned')
  expect((await complete(order.id)).problem).toMatchObject(blocked)
  await dismiss(line!.id)
  expect((await complete(order.id)).status).toBe(200)
})

test('an order isn’t completed in the request that names a transaction which went back', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  await importing(`-100;Outgoing;${txId};`)
  const body = { status: 'completed', txId, paidAmount: '100', reason }
  expect((await update(order.id, body)).problem).toMatchObject(blocked)
})

test('an order isn’t entered as completed with a transaction that went back', async () => {
  const [{ member }, txId] = [await anUnpaid(), aTransaction()]
  await importing(`-100;Outgoing;${txId};`)
  const body = { memberId: member.id, fabQty: '5', amount: '100', payMethod: 'Bank', reason, txId }
  const entered = await call(api.createOrder, { body: { ...body, status: 'completed' } }, by)
  expect(entered.problem).toMatchObject(blocked)
})

test('a payment that was assigned from a statement isn’t forgotten to have gone back', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  expect(await importing(`100;Anything;${txId};`)).toMatchObject({ problems: ['unknown_order'] })
  await importing(`-100;Anything else;${txId};`)
  const [line] = await linesAbout(txId)
  const body = { reference: order.reference, reason }
  expect((await call(api.assignStatementLine, { params: { id: line!.id }, body }, by)).status).toBe(200)
  expect((await complete(order.id)).problem).toMatchObject(blocked)
})

test('an import doesn’t complete an order whose payment another import saw go back', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  await importing(`-100;Outgoing;${txId};`)
  expect(await importing(`100;${order.reference};${txId};yes`)).toMatchObject({
    recorded: [],
    problems: ['unsettled'],
  })
})

test('an import doesn’t complete an order whose payment goes back less a fee in the same file', async () => {
  const order = await anUnpaid()
  expect(await importing(`100;${order.reference};;yes`, `-95;Return ${order.reference};;`)).toMatchObject({
    recorded: [],
    problems: ['unsettled', 'returned'],
  })
  expect((await linesAbout(order.reference)).map(({ problem }) => problem).toSorted()).toEqual([
    'returned',
    'unsettled',
  ])
})

test('a debit that names two orders stops the completion of both', async () => {
  const [first, second] = [await anUnpaid(), await anUnpaid()]
  for (const { id } of [first, second]) await update(id, { paidAmount: '100', reason })
  await importing(`-200;Return ${first.reference} ${second.reference};;`)
  for (const { id } of [first, second]) {
    expect(await flagsOf(id)).toContain('payment_returned')
    expect((await complete(id)).problem).toMatchObject(blocked)
  }
})
