import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSale, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { anOrderOf, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { importStatement, linesAbout } from '#tests/statements.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

/* An import never changes an amount that finance entered by hand: a person decides why the statement differs. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '10000' }, afterAll)
const { call } = started
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
const [officer, colleague] = [await anOfficer(), await anOfficer()]
const today = new Date().toISOString().slice(0, 10)
const reason = 'Seen in the account of the exchange.'
const exchange = {
  code: 'USDT-TRON',
  chain: 'other' as const,
  currency: 'USDT',
  isOpen: true,
  rate: '0.05',
  decimals: 6,
  minAmount: '1',
  maxAmount: '100000',
  receivingAddress: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
}
await aSale(started, { payMethods: [...saleSettings().payMethods, exchange] })
const aTxId = () => randomBytes(32).toString('hex')

const update = async (by: TestMember, id: string, body: object) => {
  const answer = await call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
  expect([answer.status, answer.problem.errors]).toEqual([200, undefined])
  return answer.body
}
const detailOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: officer.token })).body
async function anOrder(amount = '100', owner?: TestMember) {
  const member = owner ?? (await aSignedInMember(started))
  if (!owner) await proveIdentity(started, member)
  const { _id: id } = await anOrderOf(started, member, 'USDT-TRON', amount)
  return { id, member, reference: (await detailOf(id)).order.reference }
}

const mapping: StatementMapping = {
  columns: { date: 0, amount: 1, currency: 2, address: 3, txId: 4, reference: 5, complete: 6 },
  numbers: 'plain',
  dates: 'iso',
}
type Row = { amount: string; txId?: string; address?: string; reference?: string; complete?: string }

/** Imports the rows. The preview, which the API returns too, must say the same as the import. */
async function importing(...rows: Row[]) {
  const cells = rows.map(({ amount, txId = '', address = '', reference = '', complete = '' }) =>
    [today, amount, 'USDT', address, txId, reference, complete].join(';'),
  )
  const text = ['Time;Amount;Coin;Address;TxID;Memo;Complete', ...cells, ''].join('\n')
  const { shown, done } = await importStatement(started, officer, text, mapping)
  const outcomeOf = ({ lines, problems }: typeof done) => [
    ...lines.map(({ effect }) => effect),
    ...problems.map(({ problem }) => problem),
  ]
  expect([done.state, outcomeOf(shown)]).toEqual(['applied', outcomeOf(done)])
  return outcomeOf(done)
}

/** Ways in which a line can name the order, apart from a transaction that only the member reported. */
const namings: [string, (order: { reference: string }) => Row][] = [
  ['its reference', ({ reference }) => ({ amount: '', reference })],
  ['a transaction that finance entered', () => ({ amount: '' })],
]
const changes: [string, string[], string][] = [
  ['lowered', ['100', '60'], '100'],
  ['raised', ['60', '100'], '60'],
  ['raised, lowered, and raised', ['60', '100', '60', '100'], '60'],
]

test.each(namings.flatMap(([how, name]) => changes.map((each) => [how, ...each, name] as const)))(
  'by %s, a line doesn’t change an amount that finance %s',
  async (_how, _what, amounts, amount, name) => {
    const [order, txId] = [await anOrder(), aTxId()]
    await update(colleague, order.id, { txId })
    for (const paidAmount of amounts) await update(colleague, order.id, { paidAmount, reason })
    const mails = await orderMailsTo(started, order.member)
    for (const complete of ['', 'yes'])
      expect(await importing({ ...name(order), amount, txId, complete })).toEqual(['other_payment'])
    const after = await detailOf(order.id)
    expect([after.order.status, after.paidAmount]).toEqual(['pending', amounts.at(-1)])
    expect(await orderMailsTo(started, order.member)).toEqual(mails)
    const [line] = await linesAbout(started, officer, txId)
    expect(line).toMatchObject({ problem: 'other_payment', orderId: order.id, amount })
  },
)

test('a line with the transaction and amount that finance entered still confirms and completes the order', async () => {
  const [order, txId] = [await anOrder(), aTxId()]
  await update(colleague, order.id, { txId, paidAmount: '100' })
  const { reference } = order
  expect(await importing({ amount: '100.00', txId, reference })).toEqual(['records'])
  expect(await importing({ amount: '100.0', txId, reference })).toEqual(['nothing'])
  expect((await detailOf(order.id)).paidAmount).toBe('100')
})

test('the parts of a payment don’t change the total that finance entered', async () => {
  const [order, first, second] = [await anOrder(), aTxId(), aTxId()]
  await call(
    api.reportPayment,
    { params: { id: order.id }, body: { txId: first } },
    { token: order.member.token },
  )
  await update(colleague, order.id, { paidAmount: '100', reason })
  const { reference } = order
  expect(
    await importing({ amount: '60', txId: first, reference }, { amount: '40', txId: second, reference }),
  ).toEqual(['other_payment', 'order_twice'])
  expect((await detailOf(order.id)).paidAmount).toBe('100')
})

test('a transaction that finance divided among orders isn’t recorded in full for one of them', async () => {
  const [first, txId] = [await anOrder('60'), aTxId()]
  const second = await anOrder('40', first.member)
  const shares = { txId, sharesTransaction: true, reason }
  await update(colleague, first.id, { txId, paidAmount: '60' })
  await update(colleague, second.id, shares)
  // Finance hasn’t recorded the second part yet.
  expect(await importing({ amount: '100', txId, reference: second.reference })).toEqual(['tx_used'])
  await update(colleague, second.id, { paidAmount: '40' })
  for (const { reference } of [first, second])
    expect(await importing({ amount: '100.0', txId, reference })).toEqual(['other_payment'])
  expect(await importing({ amount: '100.00', txId })).toEqual(['ambiguous'])
  const paid = [await detailOf(first.id), await detailOf(second.id)].map(({ paidAmount }) => paidAmount)
  expect(paid).toEqual(['60', '40'])
})

test('after finance replaced one recorded line by another, the first isn’t recorded again', async () => {
  const [order, txId] = [await anOrder('77'), aTxId()]
  const { id, reference } = order
  expect(await importing({ amount: '77', txId, reference })).toEqual(['records'])
  await update(colleague, id, { paidAmount: null, paidAt: null, reason })
  await importing({ amount: '48.5', address: exchange.receivingAddress, reference: 'From my wallet' })
  const [line] = await linesAbout(started, officer, 'From my wallet')
  const assigned = { params: { id: line!.id }, body: { reference, reason } }
  const answer = await call(api.assignStatementLine, assigned, { token: colleague.token })
  expect([answer.status, answer.problem.errors]).toEqual([200, undefined])
  expect(await importing({ amount: '77.0', txId, reference })).toEqual(['other_payment'])
  expect((await detailOf(id)).paidAmount).toBe('48.5')
})

test('a line can’t be assigned to an order with an amount that finance entered, nor without a reason', async () => {
  const [order, txId] = [await anOrder(), aTxId()]
  await update(colleague, order.id, { txId, paidAmount: '60' })
  await importing({ amount: '100', txId })
  const [line] = await linesAbout(started, officer, txId)
  const assign = (body: { reference: string; reason: string }) =>
    call(api.assignStatementLine, { params: { id: line!.id }, body }, { token: officer.token })
  const { reference } = order
  expect((await assign({ reference, reason: '' })).problem.errors).toMatchObject([{ path: 'reason' }])
  expect((await assign({ reference, reason })).problem.errors).toMatchObject([
    { path: 'reference', code: 'already_paid' },
  ])
  expect((await detailOf(order.id)).paidAmount).toBe('60')
})

const watched = await aWatchedSale({}, afterAll)
const watching = await aSignedInMember(watched.started, { manage_finance: 2 })
const byWatched = { token: watching.token }
const ofBitcoin: StatementMapping = {
  columns: { date: 0, amount: 1, reference: 2, address: 3, txId: 4 },
  currency: 'BTC',
  numbers: 'plain',
  dates: 'iso',
}
async function importingBitcoin(row: Row) {
  const { amount, reference = '', address = '', txId = '' } = row
  const text = `Time;Amount;Memo;Address;TxID\n${[today, amount, reference, address, txId].join(';')}\n`
  const { done } = await importStatement(watched.started, watching, text, ofBitcoin)
  return [...done.lines.map(({ effect }) => effect), ...done.problems.map(({ problem }) => problem)]
}
const onChain = async (id: string) =>
  (await watched.started.call(api.getConsoleOrder, { params: { id } }, byWatched)).body
const enter = async (id: string, body: object) =>
  expect(
    (await watched.started.call(api.updateOrder, { body: { _id: id, ...body } }, byWatched)).status,
  ).toBe(200)

test.each(['reference', 'address', 'txId'] as const)(
  'on a monitored chain, a line with the %s doesn’t change an amount that finance entered',
  async (how) => {
    const id = await watched.order('0.5')
    const txId = await watched.chain.pay({ [id]: '0.5' })
    watched.chain.mine(4)
    await watched.chain.look()
    await enter(id, { paidAmount: '0.5', reason })
    await enter(id, { paidAmount: '0.3', reason })
    const { reference } = (await onChain(id)).order
    const { body: payment } = await watched.started.call(
      api.getOrderPayment,
      { params: { id } },
      { token: watched.buyer.token },
    )
    const named = { reference, address: payment.receivingAddress, txId }
    expect(await importingBitcoin({ amount: '0.5', [how]: named[how] })).toEqual(['other_payment'])
    expect((await onChain(id)).paidAmount).toBe('0.3')
  },
)

test('while the amount due is unknown, the chain must confirm the amount of a line, too', async () => {
  const id = await watched.order('0.5')
  await enter(id, { amount: null, reason })
  const { reference } = (await onChain(id)).order
  expect(await importingBitcoin({ amount: '0.5', reference })).toEqual(['differs_from_chain'])
  expect((await onChain(id)).paidAmount).toBeNull()
  const txId = await watched.chain.pay({ [id]: '0.5' })
  watched.chain.mine(4)
  await watched.chain.look()
  expect(await importingBitcoin({ amount: '0.4', reference, txId })).toEqual(['differs_from_chain'])
  expect(await importingBitcoin({ amount: '0.5', reference, txId })).toEqual(['records'])
  expect((await onChain(id)).paidAmount).toBe('0.5')
})

test.each([
  ['removed a payment by recording 0', '131', ['131', '0']],
  ['recorded only 0', '132', ['0']],
])('a line is recorded or assigned after finance %s, because 0 is no payment', async (_, amount, amounts) => {
  const [named, assigned] = [await anOrder(amount), await anOrder(amount)]
  for (const { id } of [named, assigned])
    for (const paidAmount of amounts) await update(colleague, id, { paidAmount, reason })
  expect(await importing({ amount, reference: named.reference })).toEqual(['records'])
  expect((await detailOf(named.id)).paidAmount).toBe(amount)
  const memo = `Thanks ${assigned.id}`
  expect(await importing({ amount, reference: memo })).toEqual(['unknown_order'])
  const [line] = await linesAbout(started, officer, memo)
  const request = { params: { id: line!.id }, body: { reference: assigned.reference, reason } }
  const done = await call(api.assignStatementLine, request, { token: officer.token })
  expect([done.status, done.problem.errors]).toEqual([200, undefined])
  expect((await detailOf(assigned.id)).paidAmount).toBe(amount)
})

test('a line isn’t recorded if finance removed its payment by recording 0 and entered it for another order', async () => {
  const [from, to] = [await anOrder('150'), await anOrder('150')]
  await update(colleague, from.id, { paidAmount: '150', reason })
  await update(colleague, from.id, { paidAmount: '0', reason: 'It was for another order.' })
  await update(colleague, to.id, { paidAmount: '150', reason })
  expect(await importing({ amount: '150', reference: from.reference })).toEqual(['looks_imported'])
  expect((await detailOf(from.id)).paidAmount).toBe('0')
})
