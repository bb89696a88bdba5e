import { shownReference } from '../../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { statementMapping, type StatementMapping } from '#contract/money/statements.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { importStatement } from '#tests/statements.ts'

/* A wrong number format would record a thousand times more, or less, than was paid. */

const started = await startApi({}, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: officer.token }
const today = new Date().toISOString().slice(0, 10)

let files = 0
/** Returns a statement with a heading of its own, so that tests don't share mappings. */
const statement = (...rows: string[]) =>
  ['Buchungstag;Betrag;Waehrung;Verwendungszweck', ...rows.map((row) => `${today};${row}`), '']
    .join('\n')
    .replace('Waehrung', `Currency;${(files += 1)}`)
const row = (amount: string, purpose = 'Anything') => `${amount};BTC;;${purpose}`

async function suggestionFor(text: string) {
  const body = { file: Buffer.from(text).toString('base64') }
  const { state, mapping } = (await call(api.importOrderPayments, { body }, by)).body
  expect(state).toBe('mapping')
  return mapping!
}
async function anOrderOfHalfABitcoin() {
  const member = await aSignedInMember(started)
  const values = { payMethod: 'BTC', currency: 'BTC', amount: '0.5', fabQty: '5' }
  const { id, reference } = await anOrder(started, member.id, values)
  return { id, reference: shownReference(reference) }
}
const paidOf = async (id: string) => (await call(api.getConsoleOrder, { params: { id } }, by)).body.paidAmount

test.each([
  [['1.200,50'], 'comma'],
  [['0,0691'], 'comma'],
  [['1234,567'], 'comma'],
  [['1.000.000'], 'comma'],
  [['0,500', '-0,125'], 'comma'],
  [['1,250', '0,500'], 'comma'],
  [['1 234,567 EUR'], 'comma'],
  [['0.0691'], 'point'],
  [['0.500'], 'point'],
  [['1,000,000'], 'point'],
  [['1,200.50'], 'point'],
  [["1'234.567"], 'point'],
  [['1,200'], null],
  [['-1.200'], null],
  [['1200'], null],
  [['1,20', '1.20'], null],
])('the suggested number format for %j is %s', async (amounts, numbers) => {
  expect((await suggestionFor(statement(...amounts.map((amount) => row(amount))))).numbers).toBe(numbers)
})

test('the format may be shown only by an amount far down', async () => {
  const rows = Array.from({ length: 99 }, () => row('1,250'))
  expect((await suggestionFor(statement(...rows, row('0,500')))).numbers).toBe('comma')
})

test('a suggestion without a number format is rejected as a mapping', async () => {
  const text = statement(row('1,200'))
  const mapping = (await suggestionFor(text)) as StatementMapping
  const body = { file: Buffer.from(text).toString('base64'), mapping }
  expect((await call(api.importOrderPayments, { body }, by)).problem.errors).toMatchObject([
    { path: 'mapping.numbers' },
  ])
})

test('records 0,500 as one half', async () => {
  const { id, reference } = await anOrderOfHalfABitcoin()
  const text = statement(row('0,500', reference), row('-0,125'))
  const suggested = await suggestionFor(text)
  await importStatement(started, officer, text, statementMapping.parse(suggested))
  expect(await paidOf(id)).toBe('0.5')
})

test('a format that other amounts of the file contradict records no amount that fits both', async () => {
  const [half, other] = [await anOrderOfHalfABitcoin(), await anOrderOfHalfABitcoin()]
  const text = statement(row('0,500', half.reference), row('1,250', other.reference))
  const mapping = statementMapping.parse({ ...(await suggestionFor(text)), numbers: 'point' })
  const { done } = await importStatement(started, officer, text, mapping)
  expect(done).toMatchObject({
    lines: [],
    open: 2,
    problems: [
      { problem: 'number', value: '0,500' },
      { problem: 'number', value: '1,250' },
    ],
  })
  expect([await paidOf(half.id), await paidOf(other.id)]).toEqual([null, null])
})

test('a stored format doesn’t apply to amounts of a later file that contradicts it', async () => {
  const order = await anOrderOfHalfABitcoin()
  const heading = `Date;Amount;Currency;Purpose;${(files += 1)}`
  const file = (...rows: string[]) => [heading, ...rows.map((each) => `${today};${each};`), ''].join('\n')
  const first = file('1,200.50;BTC;Anything')
  await importStatement(started, officer, first, statementMapping.parse(await suggestionFor(first)))
  const body = {
    file: Buffer.from(file(`1,250;BTC;${order.reference}`, '0,25;BTC;Anything')).toString('base64'),
  }
  expect((await call(api.importOrderPayments, { body }, by)).body).toMatchObject({
    state: 'checked',
    lines: [],
    problems: [{ problem: 'number' }, { problem: 'number' }],
  })
})
