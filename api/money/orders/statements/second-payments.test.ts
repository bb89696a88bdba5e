import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'

/*
 * A person decides about a second payment for an order, whatever the order's status. It never replaces a recorded
 * payment.
 */

const started = await startApi({}, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: officer.token }
const today = new Date().toISOString().slice(0, 10)
const reason = 'Seen in the bank account.'

const anUnpaid = async () => aBankOrder(started, await aSignedInMember(started))
type Order = Awaited<ReturnType<typeof anUnpaid>>

const bank = ({ reference }: Order, bankReference: string) =>
  `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">100</Amt>
  <CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today}</Dt></BookgDt>
  <AcctSvcrRef>${reference} ${bankReference}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${reference}</Ustrd>
  </RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`
const withBalance = ({ reference }: Order, balance: string) =>
  `Date;Amount;Purpose;Balance\n${today};100;${reference};${balance}\n`
const exchange = ({ reference }: Order, amount: string, txId: string, fee = '0') =>
  `Date;Amount;Purpose;TxID;Fee\n${today};${amount};${reference};${txId};${fee}\n`
const withTransaction: StatementMapping = { ...bankMapping, columns: { ...bankMapping.columns, txId: 3 } }
const mappingOf = (text: string): StatementMapping | undefined => {
  if (text.startsWith('<')) return undefined
  return text.includes('TxID') ? withTransaction : bankMapping
}

/** Imports a statement, and returns the effects of its lines and the problems of its open lines. */
async function importing(text: string) {
  const { done } = await importStatement(started, officer, text, mappingOf(text))
  expect(done.state).toBe('applied')
  return [...done.lines.map(({ effect }) => effect), ...done.problems.map(({ problem }) => problem)]
}
const update = async (id: string, more: object) =>
  expect((await call(api.updateOrder, { body: { _id: id, ...more } }, by)).status).toBe(200)
const paidOf = async (id: string) => (await call(api.getConsoleOrder, { params: { id } }, by)).body.paidAmount
const openAbout = async ({ reference }: Order) =>
  (await linesAbout(started, officer, reference)).map(({ problem }) => problem)
let count = 0
const aTransaction = () => `Transfer ${(count += 1)} of ${today}`

test.each([
  ['pending', {}],
  ['completed', { status: 'completed' }],
  ['canceled', { status: 'cancelled', reason }],
])('a second payment of the same amount and day for a %s order is left open', async (_, closing) => {
  for (const fileOf of [bank, withBalance]) {
    const order = await anUnpaid()
    expect(await importing(fileOf(order, '500'))).toEqual(['records'])
    await update(order.id, closing)
    expect(await importing(fileOf(order, '600'))).toEqual(['other_payment'])
    expect(await openAbout(order)).toEqual(['other_payment'])
    // The same file again, and the payment that was recorded.
    expect(await importing(fileOf(order, '500'))).toEqual(['nothing'])
    expect(await openAbout(order)).toEqual(['other_payment'])
  }
})

test.each(['60', '100'])(
  'a payment of %s with a transaction replaces no payment without one',
  async (amount) => {
    const order = await anUnpaid()
    await importing(withBalance(order, '500'))
    expect(await importing(exchange(order, amount, aTransaction()))).toEqual(['other_payment'])
    expect(await paidOf(order.id)).toBe('100')
    expect(await openAbout(order)).toEqual(['other_payment'])
  },
)

test('a payment with a transaction that the member reported replaces no other payment', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  await update(order.id, { txId })
  await importing(withBalance(order, '500'))
  expect(await importing(exchange(order, '60', txId))).toEqual(['other_payment'])
  expect(await paidOf(order.id)).toBe('100')
})

test('a payment that was assigned, and then comes with another reference, is left open', async () => {
  const order = await anUnpaid()
  const text = withBalance(order, '500').replace(order.reference, 'Anything')
  await importing(text)
  const [line] = await linesAbout(started, officer, 'Anything')
  const body = { reference: order.reference, reason }
  await call(api.assignStatementLine, { params: { id: line!.id }, body }, by)
  await update(order.id, { status: 'completed' })
  expect(await importing(withBalance(order, '600'))).toEqual(['other_payment'])
})

test('a transaction that was recorded is the same payment in every file', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  expect(await importing(exchange(order, '100', txId))).toEqual(['records'])
  expect(await importing(exchange(order, '100', txId, '1'))).toEqual(['nothing'])
  expect(await openAbout(order)).toEqual([])
})

test('a statement confirms the amount that finance typed, and replaces no other amount', async () => {
  const order = await anUnpaid()
  await update(order.id, { paidAmount: '100', reason })
  expect(await importing(exchange(order, '60', aTransaction()))).toEqual(['other_payment'])
  expect(await importing(exchange(order, '100', aTransaction()))).toEqual(['records'])
  await update(order.id, { status: 'completed' })
  expect(await importing(withBalance(order, '500'))).toEqual(['other_payment'])
  expect(await paidOf(order.id)).toBe('100')
})
