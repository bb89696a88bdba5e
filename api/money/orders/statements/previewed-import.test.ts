import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ImportPlan } from '#contract/money/import-payments.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping } from '#tests/statements.ts'
import { readStatement } from './read-statement.ts'
import { lockImports, saveLayout } from './statement-line.queries.ts'

/* An import does what its preview showed, or nothing. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '1000' }, afterAll)
const { call, services } = started
const [officer, colleague, third] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]
const member = await aSignedInMember(started)
const today = new Date().toISOString().slice(0, 10)
/** Reads the amount and the completion from what the payer typed. */
const bad: StatementMapping = { ...bankMapping, columns: { date: 0, amount: 3, reference: 2, complete: 4 } }

const anUnpaid = (fabQty = '5') => aBankOrder(started, member, { fabQty })

type Given = { by?: typeof officer; mapping?: StatementMapping; shown?: ImportPlan }
const send = async (text: string, { by = officer, mapping, shown }: Given = {}) => {
  const seen = shown?.lines.map(({ id, updatedAt, effect }) => ({ id, updatedAt, effect }))
  const file = Buffer.from(text).toString('base64')
  const body = { file, ...(mapping && { mapping }), ...(shown && { seen, preview: shown.preview }) }
  return call(api.importOrderPayments, { body }, { token: by.token })
}
const preview = async (text: string, given: Given = {}) => (await send(text, given)).body
const importing = async (text: string, given: Given = {}) =>
  (await send(text, { ...given, shown: await preview(text, given) })).body
const orderOf = async (id: string) => {
  const { body } = await call(api.getConsoleOrder, { params: { id } }, { token: officer.token })
  return [body.order.status, body.paidAmount]
}
const openLines = async () =>
  (await call(api.listStatementLines, { query: { limit: 100 } }, { token: officer.token })).body

let statements = 0
/** Returns rows below a unique heading, for which the officer stored a mapping. */
async function aStoredMapping() {
  const heading = `Date;Amount;Purpose;Note;Flag;Balance${(statements += 1)}`
  const fileOf = (row: string) => `${heading}\n${today};${row};\n`
  await importing(fileOf(`100;${(await anUnpaid()).reference};;1`), { mapping: bankMapping })
  return fileOf
}

test.each(['5', '500000'])(
  'an import of a payment for %s tokens does nothing if a colleague changed the mapping since the preview',
  async (quantity) => {
    const fileOf = await aStoredMapping()
    const [order, other] = [await anUnpaid(quantity), await anUnpaid()]
    const file = fileOf(`1;${order.reference};100;1`)
    const shown = await preview(file)
    expect(shown.lines).toMatchObject([{ amount: '1', effect: 'records' }])
    await importing(fileOf(`5;${other.reference};5;0`), { mapping: bad, by: colleague })
    const changed = (await send(file, { shown })).body
    expect(changed).toMatchObject({ state: 'changed', mapping: { columns: { amount: 3 } } })
    expect(await orderOf(order.id)).toEqual(['pending', null])
    expect((await send(file, { shown: changed })).body.state).toBe('applied')
  },
)

test('no open line is stored with a mapping that a colleague stored since the preview', async () => {
  const fileOf = await aStoredMapping()
  const file = fileOf('1;Savings of the day;100;')
  const shown = await preview(file)
  await importing(fileOf('5;Anything;5;0'), { mapping: bad, by: colleague })
  expect((await send(file, { shown })).body.state).toBe('changed')
  expect((await openLines()).filter(({ reference }) => reference === 'Savings of the day')).toEqual([])
})

test('a stored mapping is applied only with the preview that used it', async () => {
  const fileOf = await aStoredMapping()
  const { lines } = await preview(fileOf(`1;${(await anUnpaid()).reference};;`))
  const file = Buffer.from(fileOf(`1;${(await anUnpaid()).reference};;`)).toString('base64')
  const seen = lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  const { problem } = await call(api.importOrderPayments, { body: { file, seen } }, { token: officer.token })
  expect(problem.errors).toMatchObject([{ path: 'preview', code: 'required' }])
})

test('an import doesn’t replace the mapping that a colleague stored while it ran', async () => {
  const fileOf = await aStoredMapping()
  const file = fileOf(`100;${(await anUnpaid()).reference};;`)
  const shown = await preview(file)
  const statement = readStatement(Buffer.from(file), 10)
  const imported = await services.db.transaction().execute(async (db) => {
    await lockImports(db)
    const waiting = send(file, { shown })
    await new Promise((resolve) => setTimeout(resolve, 500))
    await saveLayout(db, 'layout' in statement ? statement.layout : '', bad, colleague.id)
    return [waiting]
  })
  expect((await imported[0]!).body.state).toBe('applied')
  expect((await preview(file)).mapping).toEqual(bad)
})

test.each([
  ['another amount', (reference: string) => `${reference},,100,${today},`],
  ['another effect', (reference: string) => `${reference},,1,${today},yes`],
])('a file with %s isn’t imported with the preview of the first file', async (_, row) => {
  const { id, reference } = await anUnpaid()
  const fileOf = (line: string) => `reference,txId,amount,date,complete\n${line}\n`
  const shown = await preview(fileOf(`${reference},,1,${today},`))
  expect((await send(fileOf(row(reference)), { shown })).body.state).toBe('changed')
  expect(await orderOf(id)).toEqual(['pending', null])
})

test('an import doesn’t propose what its preview would have completed', async () => {
  const own = 'reference,txId,amount,date,complete'
  const rowOf = ({ reference }: { reference: string }) => `${reference},,100,${today},yes`
  const order = await anUnpaid('900')
  const file = `${own}\n${rowOf(order)}\n`
  const shown = await preview(file, { by: third })
  expect(shown.lines).toMatchObject([{ effect: 'completes' }])
  const others = await Promise.all(Array.from({ length: 5 }, () => anUnpaid('900')))
  await importing([own, ...others.map(rowOf), ''].join('\n'), { by: third })
  expect((await send(file, { shown, by: third })).body).toMatchObject({
    state: 'changed',
    lines: [{ effect: 'proposes', isChanged: true }],
  })
  expect(await orderOf(order.id)).toEqual(['pending', null])
})

test('a line that stays open because its order has changed since the preview stops the import', async () => {
  const [order, other] = [await anUnpaid(), await anUnpaid()]
  const rows = [order, other].map(({ reference }) => `${reference},,100,${today},`)
  const file = ['reference,txId,amount,date,complete', ...rows, ''].join('\n')
  const shown = await preview(file)
  const cancelled = { _id: order.id, status: 'cancelled' as const, reason: 'Asked by the member.' }
  await call(api.updateOrder, { body: cancelled }, { token: officer.token })
  const stopped = (await send(file, { shown })).body
  expect(stopped).toMatchObject({ state: 'changed', open: 1, problems: [{ line: 2, problem: 'closed' }] })
  expect(stopped.lines).toMatchObject([
    { id: other.id, isChanged: false },
    { id: order.id, effect: 'nothing', isChanged: true },
  ])
  expect(await orderOf(other.id)).toEqual(['pending', null])
  expect((await send(file, { shown: stopped })).body).toMatchObject({
    state: 'applied',
    open: 1,
    lines: [{ id: other.id }],
  })
  expect(await orderOf(other.id)).toEqual(['pending', '100'])
})

test('an import that was repeated after a lost answer changes nothing', async () => {
  const order = await anUnpaid()
  const file = `reference,txId,amount,date,complete\n${order.reference},,100,${today},yes\n`
  const shown = await preview(file)
  for (const _ of ['first', 'again']) expect((await send(file, { shown })).body.state).toBe('applied')
  expect(await orderOf(order.id)).toEqual(['completed', '100'])
})
