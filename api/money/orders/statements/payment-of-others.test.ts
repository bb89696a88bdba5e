import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aChain } from '#tests/watched-sale.ts'
import { aSale, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { targetOf } from '../../../platform/chain-keys/account-key.ts'

/*
 * A statement may contain someone else's payment. Tokens are sent for recorded payments, so members must not be able to
 * claim one.
 */

const [bitcoin, ether] = saleSettings().payMethods
const unwatched = await startApi({}, afterAll)
const watched = await startApi(
  { CHAIN_BTC_URL: 'http://127.0.0.1:9', CHAIN_BTC_CONFIRMATIONS: '3' },
  afterAll,
)
const chain = aChain(watched)
const finance = new Map<TestApi, TestMember>()
for (const started of [unwatched, watched])
  finance.set(started, await aSignedInMember(started, { manage_finance: 2 }))
beforeEach(async () => {
  for (const started of [unwatched, watched])
    await started.services.db.updateTable('token_order').set({ status: 'cancelled' }).execute()
})

let count = 0
const aHash = () => (count += 1).toString(16).padStart(64, 'a')
const aTxId = () => `0x${aHash()}`
const mapping: StatementMapping = {
  columns: { date: 0, currency: 1, amount: 2, address: 3, txId: 4, reference: 5 },
  numbers: 'plain',
  dates: 'iso',
}
type Row = {
  date?: Date | string
  coin?: string
  amount: string
  address?: string
  txId?: string
  reference?: string
}
const momentOf = (date: Date | string) =>
  typeof date === 'string' ? date : date.toISOString().slice(0, 19).replace('T', ' ')

/** Imports one line, and returns what was recorded and why it wasn't. */
async function importing(started: TestApi, row: Row) {
  const { date = new Date(), coin = 'ETH', amount, address = '', txId = '', reference = '' } = row
  const text = `Time,Coin,Deposit,To,TxHash,Note\n${[momentOf(date), coin, amount, address, txId, reference].join(',')}\n`
  const body = { file: Buffer.from(text).toString('base64'), mapping }
  const by = { token: finance.get(started)!.token }
  const shown = (await started.call(api.importOrderPayments, { body }, by)).body
  const seen = shown.lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  const { lines, problems } = (await started.call(api.importOrderPayments, { body: { ...body, seen } }, by))
    .body
  return { recorded: lines.map(({ id }) => id), problems: problems.map(({ problem }) => problem) }
}
const kept = (problem: string) => ({ recorded: [], problems: [problem] })
const report = (started: TestApi, by: TestMember, id: string, txId: string) =>
  started.call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const paidOf = async (started: TestApi, id: string) =>
  (await started.call(api.getConsoleOrder, { params: { id } }, { token: finance.get(started)!.token })).body
    .paidAmount
const openLine = async (started: TestApi) => {
  const query = { limit: 100 }
  const { body } = await started.call(
    api.listStatementLines,
    { query },
    { token: finance.get(started)!.token },
  )
  return body.at(-1)!
}
const assign = (started: TestApi, id: string, reference: string) =>
  started.call(
    api.assignStatementLine,
    { params: { id }, body: { reference, reason: 'The sender is the member.' } },
    { token: finance.get(started)!.token },
  )

test('an order for exactly what someone else paid at the shared address is only a suggestion', async () => {
  const [victim, thief] = [await aBuyer(unwatched), await aBuyer(unwatched)]
  const paid = await anOrderOf(unwatched, victim, 'ETH', '1.5')
  const claimed = await anOrderOf(unwatched, thief, 'ETH', '1.4995')
  const row = { amount: '1.4995', address: ether!.receivingAddress, txId: aTxId() }
  expect(await importing(unwatched, row)).toEqual(kept('shared_address'))
  expect(await paidOf(unwatched, claimed._id)).toBeNull()
  const line = await openLine(unwatched)
  expect(line.orderId).toBe(claimed._id)
  expect((await assign(unwatched, line.id, paid.reference)).status).toBe(200)
  expect(await paidOf(unwatched, paid._id)).toBe('1.4995')
})

test('the only order waiting at the shared address gets no payment of another amount', async () => {
  const order = await anOrderOf(unwatched, await aBuyer(unwatched), 'ETH', '2')
  const row = { amount: '77', address: ether!.receivingAddress, txId: aTxId() }
  expect(await importing(unwatched, row)).toEqual(kept('shared_address'))
  expect(await paidOf(unwatched, order._id)).toBeNull()
})

test.each([
  ['a moment', () => new Date(Date.now() - HOUR)],
  ['a day', () => new Date(Date.now() - 2 * DAY).toISOString().slice(0, 10)],
])(
  'a payment with %s before the order was placed is neither recorded for it nor assigned to it',
  async (_, at) => {
    const order = await anOrderOf(unwatched, await aBuyer(unwatched), 'ETH', '1')
    const row = { date: at(), amount: '1', reference: order.reference, txId: aTxId() }
    expect(await importing(unwatched, row)).toEqual(kept('older_than_order'))
    const line = await openLine(unwatched)
    expect((await assign(unwatched, line.id, order.reference)).problem.errors).toMatchObject([
      { path: 'reference', code: 'older_than_order' },
    ])
    expect(await paidOf(unwatched, order._id)).toBeNull()
  },
)

test('leaves a payment without a date to a person, who can assign it', async () => {
  const order = await anOrderOf(unwatched, await aBuyer(unwatched), 'ETH', '1')
  const row = { date: '', amount: '1', reference: order.reference, txId: aTxId() }
  expect(await importing(unwatched, row)).toEqual(kept('no_date'))
  expect(await paidOf(unwatched, order._id)).toBeNull()
  const line = await openLine(unwatched)
  expect(line).toMatchObject({ problem: 'no_date', orderId: order._id, receivedAt: null })
  expect((await assign(unwatched, line.id, order.reference)).status).toBe(200)
  expect(await paidOf(unwatched, order._id)).toBe('1')
})

test('records a payment without a date if the chain confirms it', async () => {
  await aSale(watched)
  const order = await anOrderOf(watched, await aBuyer(watched), 'BTC', '0.08')
  await chain.look()
  const txId = await paidOnChain('0.08')
  const row = { coin: 'BTC', date: '', amount: '0.08', txId, reference: order.reference }
  expect(await importing(watched, row)).toEqual({ recorded: [order._id], problems: [] })
})

test('records a payment of the day on which the order was placed', async () => {
  const order = await anOrderOf(unwatched, await aBuyer(unwatched), 'ETH', '1')
  const date = new Date().toISOString().slice(0, 10)
  const row = { date, amount: '1', reference: order.reference, txId: aTxId() }
  expect(await importing(unwatched, row)).toEqual({ recorded: [order._id], problems: [] })
})

test('leaves a transaction that only the member reported to a person, but not one named with the order', async () => {
  const thief = await aBuyer(unwatched)
  const order = await anOrderOf(unwatched, thief, 'ETH', '1')
  const txId = aTxId()
  await report(unwatched, thief, order._id, txId)
  expect(await importing(unwatched, { amount: '1', txId })).toEqual(kept('reported_only'))
  expect(await paidOf(unwatched, order._id)).toBeNull()
  expect(await importing(unwatched, { amount: '1', txId, reference: order.reference })).toEqual({
    recorded: [order._id],
    problems: [],
  })
})

/** Simulates a payment to the shared address of the monitored coin, three blocks deep. */
async function paidOnChain(amount: string): Promise<string> {
  const txId = await chain.pay({ [targetOf(bitcoin!.receivingAddress, 'bitcoin', 'main')!]: amount })
  await chain.look()
  chain.mine(3)
  await chain.look()
  return txId
}

test('on a monitored coin, records a line only for what the chain confirms', async () => {
  await aSale(watched)
  const member = await aBuyer(watched)
  await anOrderOf(watched, member, 'BTC', '0.3')
  chain.mine(5)
  await chain.look()
  const older = await paidOnChain('0.08')
  const order = await anOrderOf(watched, member, 'BTC', '0.08')
  const row = { coin: 'BTC', amount: '0.08' }
  for (const reference of ['', order.reference]) {
    expect(await importing(watched, { ...row, txId: aHash(), reference, date: '' })).toEqual(
      kept(reference === '' ? 'unknown_order' : 'differs_from_chain'),
    )
    expect(await importing(watched, { ...row, txId: older, reference, date: '' })).toEqual(
      kept(reference === '' ? 'unknown_order' : 'differs_from_chain'),
    )
  }
  expect((await assign(watched, (await openLine(watched)).id, order.reference)).problem.errors).toMatchObject(
    [{ code: 'older_than_order' }],
  )
  const txId = await paidOnChain('0.08')
  await report(watched, member, order._id, txId)
  expect(await importing(watched, { ...row, amount: '0.0801', txId })).toEqual(kept('differs_from_chain'))
  expect(await importing(watched, { ...row, txId })).toEqual(kept('reported_only'))
  expect(await importing(watched, { ...row, txId, reference: order.reference })).toEqual({
    recorded: [order._id],
    problems: [],
  })
})

test('does not record a payment at a shared monitored address for the first member who reports it', async () => {
  await aSale(watched)
  const [payer, thief] = [await aBuyer(watched), await aBuyer(watched)]
  const paid = await anOrderOf(watched, payer, 'BTC', '0.08')
  const claimed = await anOrderOf(watched, thief, 'BTC', '0.08')
  await chain.look()
  const txId = await paidOnChain('0.08')
  await report(watched, thief, claimed._id, txId)
  await chain.look()
  expect(await importing(watched, { coin: 'BTC', amount: '0.08', txId })).toEqual(kept('reported_only'))
  expect(await paidOf(watched, claimed._id)).toBeNull()
  expect((await report(watched, payer, paid._id, txId)).problem.code).toBe('conflict')
})

test('leaves a transaction confirmed with another amount than due to a person', async () => {
  await aSale(watched)
  const member = await aBuyer(watched)
  const order = await anOrderOf(watched, member, 'BTC', '0.5')
  await chain.look()
  const txId = await paidOnChain('0.2')
  const named = { body: { _id: order._id, txId } }
  await watched.call(api.updateOrder, named, { token: finance.get(watched)!.token })
  expect(await importing(watched, { coin: 'BTC', amount: '0.2', txId })).toEqual(kept('other_amount'))
  expect(await paidOf(watched, order._id)).toBeNull()
})
