import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'

/* A debit that was first read with a wrong mapping is noticed as soon as someone reads it with the right one. */

const started = await startApi({}, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const today = new Date().toISOString().slice(0, 10)
const reason = 'Checked with the bank.'
const blocked = { code: 'conflict', errors: [{ path: 'payment', code: 'unsettled' }] }

const anUnpaid = async () => aBankOrder(started, await aSignedInMember(started))
/** Leaves out the direction of the payment. */
const wrong = bankMapping
const right: StatementMapping = { ...bankMapping, columns: { ...bankMapping.columns, direction: 3 } }
/** Reads another order from another column. */
const elsewhere: StatementMapping = { ...right, columns: { ...right.columns, reference: 4 } }
const fileOf = (...rows: string[]) =>
  ['Date;Amount;Purpose;D/C;Note', ...rows.map((row) => `${today};${row}`), ''].join('\n')

const importing = async (text: string, mapping: StatementMapping, by = officer) =>
  (await importStatement(started, by, text, mapping)).done
const by = { token: colleague.token }
const lineAbout = async (text: string) => (await linesAbout(started, colleague, text))[0]!
const assign = ({ id }: { id: string }, { reference }: { reference: string }) =>
  call(api.assignStatementLine, { params: { id }, body: { reference, reason } }, { token: officer.token })
const dismiss = ({ id }: { id: string }) =>
  call(api.dismissStatementLine, { params: { id }, body: { reason } }, { token: officer.token })
const pay = (id: string, paidAmount = '100') =>
  call(api.updateOrder, { body: { _id: id, paidAmount, reason } }, { token: officer.token })
const complete = (id: string) =>
  call(api.updateOrder, { body: { _id: id, status: 'completed' } }, { token: officer.token })
const flagsOf = async (id: string) => (await call(api.getConsoleOrder, { params: { id } }, by)).body.flags

let count = 0
/** Returns text that names no order. */
const aPurpose = () => `Transfer number ${(count += 1)}`

test('a debit that was assigned as a payment stops the order, and is listed once', async () => {
  const [order, purpose] = [await anUnpaid(), aPurpose()]
  const file = fileOf(`100;${purpose};D;`)
  await importing(file, wrong)
  expect((await assign(await lineAbout(purpose), order)).status).toBe(200)
  for (const _ of ['first', 'again'])
    expect(await importing(file, right, colleague)).toMatchObject({
      open: 1,
      problems: [{ problem: 'returned' }],
    })
  expect(await linesAbout(started, colleague, purpose)).toMatchObject([
    { problem: 'returned', orderId: order.id },
  ])
  expect(await flagsOf(order.id)).toContain('payment_returned')
  expect((await complete(order.id)).problem).toMatchObject(blocked)
  await dismiss(await lineAbout(purpose))
  expect(await importing(file, right, colleague)).toMatchObject({ open: 0, duplicates: 1 })
})

test('a debit that was recorded as a payment in another file stops the order', async () => {
  const order = await anUnpaid()
  const row = `100;Return ${order.reference};D;`
  expect((await importing(fileOf(row), wrong)).lines).toMatchObject([{ effect: 'records' }])
  expect(await importing(fileOf(row, '-3;Fee;D;'), right, colleague)).toMatchObject({ open: 1 })
  expect((await complete(order.id)).problem).toMatchObject(blocked)
})

test('a return that was dismissed as a payment stops its order', async () => {
  const order = await anUnpaid()
  await pay(order.id)
  const file = fileOf(`100;Return ${order.reference};D;`)
  await importing(file, wrong)
  await dismiss(await lineAbout(order.reference))
  expect(await importing(file, right, colleague)).toMatchObject({ open: 1 })
  expect((await complete(order.id)).problem).toMatchObject(blocked)
})

test('an open payment that turns out to be a debit can’t be assigned', async () => {
  const [order, purpose] = [await anUnpaid(), aPurpose()]
  const file = fileOf(`100;${purpose};D;`)
  await importing(file, wrong)
  await importing(file, right, colleague)
  expect(await linesAbout(started, colleague, purpose)).toMatchObject([{ problem: 'returned' }])
  expect((await assign(await lineAbout(purpose), order)).problem.code).toBe('conflict')
})

test.each(['open', 'dismissed'])(
  'a return stops its order even if it was first read as one of another order: %s',
  async (state) => {
    const [order, other] = [await anUnpaid(), await anUnpaid()]
    await pay(order.id)
    const file = fileOf(`100;Return ${order.reference};D;${other.reference}`)
    await importing(file, elsewhere)
    if (state === 'dismissed') await dismiss(await lineAbout(other.reference))
    expect(await importing(file, right, colleague)).toMatchObject({ open: 1 })
    expect(await flagsOf(order.id)).toContain('payment_returned')
    expect((await complete(order.id)).problem).toMatchObject(blocked)
  },
)

test('a return that first looked like the payment of another order stops the order that it names, too', async () => {
  // No other order of these tests has this amount.
  const ofAmount = async () => aBankOrder(started, await aSignedInMember(started), { amount: '123' })
  const [paid, order, purpose] = [await ofAmount(), await ofAmount(), aPurpose()]
  await importing(fileOf(`123;${purpose};C;`), wrong)
  expect((await assign(await lineAbout(purpose), paid)).status).toBe(200)
  await pay(order.id, '123')
  const file = fileOf(`123;${purpose};D;Return ${order.reference}`)
  expect(await importing(file, wrong)).toMatchObject({ problems: [{ problem: 'looks_imported' }] })
  for (const _ of ['first', 'again'])
    expect(await importing(file, right, colleague)).toMatchObject({ problems: [{ problem: 'returned' }] })
  expect(await linesAbout(started, colleague, purpose)).toMatchObject([
    { problem: 'returned', orderId: order.id },
  ])
  for (const { id } of [order, paid]) {
    expect(await flagsOf(id)).toContain('payment_returned')
    expect((await complete(id)).problem).toMatchObject(blocked)
  }
})

test.each(['first', 'last'])(
  'a return stops the order that it names and the one that reported its transaction: %s in the list',
  async (position) => {
    const transaction = `BANKTX-${position}-0001`
    const members = [await aSignedInMember(started), await aSignedInMember(started)]
    const orders = await Promise.all(
      members.map(async (owner) => ({ owner, ...(await aBankOrder(started, owner)) })),
    )
    const sorted = orders.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const [order, reported] = position === 'first' ? sorted : sorted.toReversed()
    const reporting = { params: { id: reported!.id }, body: { txId: transaction } }
    expect((await call(api.reportPayment, reporting, { token: reported!.owner.token })).status).toBe(200)
    await pay(order!.id)
    const purpose = aPurpose()
    const text = `Date;Amount;Purpose;D/C;Note;Tx\n${today};100;${purpose};D;Return ${order!.reference};${transaction}\n`
    const withTransaction = ({ columns, ...rest }: StatementMapping) => ({
      ...rest,
      columns: { ...columns, txId: 5 },
    })
    await importing(text, withTransaction(wrong))
    expect(await importing(text, withTransaction(right), colleague)).toMatchObject({
      problems: [{ problem: 'returned' }],
    })
    for (const { id } of [order!, reported!]) {
      expect(await flagsOf(id)).toContain('payment_returned')
      expect((await complete(id)).problem).toMatchObject(blocked)
    }
  },
)

test.each(['D/C', 'Soll/Haben', 'Transaction Type', 'Entry kind'])(
  'suggests the column %s for the direction because of its words',
  async (name) => {
    const text = `Date;Amount;Purpose;${name}\n${today};100;Anything;C\n${today};5;Anything;D\n`
    const body = { file: Buffer.from(text).toString('base64') }
    const { mapping } = (await call(api.importOrderPayments, { body }, by)).body
    expect(mapping?.columns.direction).toBe(3)
  },
)

test.each(['', 'Unknown'])('a line whose direction says %j is left to a person', async (direction) => {
  const order = await anUnpaid()
  expect(await importing(fileOf(`100;${order.reference};${direction};`), right)).toMatchObject({
    lines: [],
    problems: [{ problem: 'direction', value: direction }],
  })
})

test.each(['-', '−', '–', '‐', '－', '﹣'])('an amount with the minus sign %s is a debit', async (minus) => {
  const order = await anUnpaid()
  await pay(order.id)
  const { direction: _, ...columns } = right.columns
  const file = fileOf(`${minus}100;Return ${order.reference};;`)
  expect(await importing(file, { ...right, columns })).toMatchObject({
    open: 1,
    problems: [{ problem: 'returned', value: '-100' }],
  })
  expect((await complete(order.id)).problem).toMatchObject(blocked)
})
