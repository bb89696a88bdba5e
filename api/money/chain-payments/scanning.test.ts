import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Database } from '#api/platform/db/database.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aChain } from '#tests/watched-sale.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { queryHistories, newAsked } from '../chains/query-histories.ts'
import type { ReadChain } from '../chains/poll-chain.ts'
import type { HistoryEntry, HistorySource } from '../../platform/nodes/electrum.ts'
import { enforceDeadlines } from '../orders/deadline-worker.ts'
import { bitcoinRpc } from '../../platform/nodes/bitcoin-rpc.ts'
import { jsonRpc } from '../../platform/nodes/json-rpc.ts'
import { NodeFailure } from '../../platform/nodes/node-failure.ts'
import { pollAndEvaluate } from './monitor-chains.ts'
import { startScriptedBitcoin } from '#tests/setup/scripted-bitcoin.ts'

const settings = {
  CHAIN_BTC_URL: 'http://127.0.0.1:9',
  CHAIN_BTC_XPUB:
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  CHAIN_BTC_CONFIRMATIONS: '3',
}

async function scene() {
  const started = await startApi(settings)
  const buyer = await aBuyer(started)
  const chain = aChain(started)
  chain.mine(5)
  await chain.look()
  const { db } = started.services
  const order = async () => (await anOrderOf(started, buyer))._id
  const paymentOf = async (id: string) =>
    (await started.call(api.getChainPayment, { params: { id } }, { token: buyer.token })).body.payment!
  const watch = () => db.selectFrom('chain_watch').selectAll().executeTakeFirstOrThrow()
  const statusOf = async (id: string) =>
    (await db.selectFrom('token_order').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status
  /** Simulates that the last poll was `seconds` ago, and everything else equally long ago. */
  const setLookedAt = (seconds: number) =>
    db
      .updateTable('chain_watch')
      .set({ looked_at: sql<Date>`now() - ${seconds} * interval '1 second'` })
      .execute()
  return { started, db, buyer, chain, order, paymentOf, watch, statusOf, setLookedAt }
}

test('a node that syncs again removes nothing seen before', async () => {
  const { db, chain, order, paymentOf, watch } = await scene()
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.mine(4)
  await chain.look()
  const before = { payment: await paymentOf(id), height: (await watch()).height }
  expect(before).toMatchObject({ payment: { state: 'paid' }, height: 9 })
  // The hashes of the first five blocks are no longer stored.
  await db.deleteFrom('chain_block').where('height', '<', 6).execute()
  const goOn = chain.shorten(2)
  chain.setSynced(false)
  expect(await chain.look()).toBe('failed')
  expect((await watch()).failure).toBe('not_synced')
  // Not every node reports that it is syncing.
  chain.setSynced(true)
  expect(await chain.look()).toBe('failed')
  expect((await watch()).failure).toBe('behind')
  const { lastLookedAt } = before.payment
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', received: '0.5', lastLookedAt })
  expect((await watch()).height).toBe(9)
  goOn()
  expect(await chain.look()).toBe('looked')
  expect((await paymentOf(id)).state).toBe('paid')
})

test('payments on another network do not count', async () => {
  const { db, chain, order, paymentOf } = await scene()
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.mine(3)
  await db.updateTable('chain_watch').set({ network: 'bitcoin testnet' }).execute()
  await db
    .insertInto('chain_transfer')
    .columns(['coin', 'address_id', 'tx_id', 'output', 'amount', 'height', 'block_hash', 'block_at'])
    .expression(
      db
        .selectFrom('chain_address')
        .select(['coin', 'id', sql<string>`'on-another'`.as('tx_id'), sql<number>`0`.as('output')])
        .select([sql<string>`0.25`.as('amount'), sql<number>`5`.as('height')])
        .select([sql<string>`'its-block'`.as('block_hash'), sql<Date>`now()`.as('block_at')])
        .where('order_id', '=', id),
    )
    .execute()
  await chain.look()
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', received: '0.5' })
})

test('reaches the end once the mempool was read completely', async () => {
  const { started, chain, order, statusOf, setLookedAt } = await scene()
  const id = await order()
  chain.setPoolLong(true)
  await setLookedAt(3600)
  await moveDeadline(started, id, -120)
  await chain.look()
  await enforceDeadlines(started.services)
  expect(await statusOf(id)).toBe('pending')
  chain.setPoolLong(false)
  await chain.look()
  await enforceDeadlines(started.services)
  expect(await statusOf(id)).toBe('cancelled')
})

test('reads mempool transactions again that were not stored', async () => {
  const node = await startScriptedBitcoin()
  const paid = node.pay('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', '0.5')
  const source = bitcoinRpc(jsonRpc(node.url), node.network)
  const lost = source.readPool(() => Promise.reject(new NodeFailure('failed')))
  await expect(lost).rejects.toThrow()
  const kept: string[] = []
  const keep = async (moved: readonly { txId: string }[]) => void kept.push(...moved.map(({ txId }) => txId))
  expect(await source.readPool(keep)).toBe(true)
  expect(await source.readPool(keep)).toBe(true)
  expect(kept).toEqual([paid])
  await node.stop()
})

test(
  'notices what left the mempool, however many transactions are unconfirmed',
  { tags: ['nightly'] },
  async () => {
    const { db, chain, order, paymentOf } = await scene()
    const id = await order()
    const paid: string[] = []
    for (let left = 251; left > 0; left -= 1) paid.push(await chain.pay({ [id]: '0.001' }))
    await chain.look()
    expect((await paymentOf(id)).received).toBe('0.251')
    // These are last in any order in which they may be queried.
    const dropped = new Set([paid.at(-1)!, paid.toSorted().at(-1)!])
    for (const txId of dropped) chain.drop(txId)
    await chain.look()
    const waiting = await db
      .selectFrom('chain_transfer')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('gone_at', 'is', null)
      .executeTakeFirstOrThrow()
    expect(Number(waiting.count)).toBe(251 - dropped.size)
  },
)

test(
  'unknown transactions delay neither the evaluation of a payment nor a deadline',
  { tags: ['nightly'] },
  async () => {
    const { started, db, chain, order, paymentOf, statusOf } = await scene()
    const [id, overdue] = [await order(), await order()]
    await db.transaction().execute(async (db) => {
      const row = await db
        .selectFrom('token_order')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const rows = Array.from({ length: 250 }, (_, index) => ({
        ...row,
        id: `0198f0a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
        reference: String(index).padStart(10, '0'),
        tx_id: `unknown ${index}`,
        tx_key: `unknown${index}`,
      }))
      await db.insertInto('token_order').values(rows).execute()
    })
    await chain.look()
    await chain.look()
    await chain.pay({ [id]: '0.5' })
    chain.mine(3)
    await chain.look()
    expect((await paymentOf(id)).state).toBe('paid')
    const judged = await db
      .selectFrom('chain_payment')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(judged.count)).toBe(251)
    // Seen, but not yet reported by anyone.
    await chain.pay({ [overdue]: '0.5' })
    await chain.look()
    await db.updateTable('token_order').set({ tx_id: '', tx_key: '' }).where('id', '=', overdue).execute()
    await moveDeadline(started, overdue, -90)
    await db.updateTable('chain_watch').set({ looked_at: new Date() }).execute()
    await enforceDeadlines(started.services)
    expect(await statusOf(overdue)).toBe('pending')
  },
)

/** A simulated server queried by address, whose histories the test can extend. */
function aServer(height = 200) {
  const histories = new Map<string, (HistoryEntry & { amount: bigint })[]>()
  const asked = { histories: 0, headers: 0, transactions: 0 }
  const server = { height, asked, histories }
  const source: HistorySource = {
    tip: async () => ({ height: server.height, hash: `block ${server.height}`, at: new Date() }),
    async historyOf(target) {
      asked.histories += 1
      return (histories.get(target) ?? []).map(({ txId, height }) => ({ txId, height }))
    },
    async transaction(txId) {
      asked.transactions += 1
      return [...histories].flatMap(([target, entries]) =>
        entries
          .filter((each) => each.txId === txId && each.amount > 0n)
          .map(({ amount }) => ({ txId, output: 0, target, amount })),
      )
    },
    async headerAt(at) {
      asked.headers += 1
      return { hash: `block ${at}`, parent: `block ${at - 1}`, at: new Date() }
    },
    end: () => {},
  }
  return { server, source }
}

async function electrumScene() {
  const all = await scene()
  const { started, db } = all
  const { server, source } = aServer()
  const remembered = newAsked()
  const read: ReadChain = ({ db }, lease) => queryHistories(db, source, lease, remembered)
  const look = async () => {
    await db
      .updateTable('chain_watch')
      .set({ next_at: new Date(0) })
      .execute()
    return pollAndEvaluate(started.services, started.services.config.chains[0]!, read)
  }
  return { ...all, server, look }
}

test('does not trust a history server that knows less than before', async () => {
  const { chain, order, paymentOf, watch, server, look } = await electrumScene()
  const id = await order()
  server.histories.set(await chain.targetOf(id), [{ txId: 'paid', height: 190, amount: 5n * 10n ** 17n }])
  await look()
  expect(await paymentOf(id)).toMatchObject({ state: 'paid', confirmations: 3 })
  server.height = 100
  server.histories.clear()
  expect(await look()).toBe('failed')
  expect((await watch()).failure).toBe('behind')
  expect((await paymentOf(id)).state).toBe('paid')
})

test(
  'reaches the end once every relevant address was queried, however many there are',
  { tags: ['nightly'] },
  async () => {
    const { started, db, order, statusOf, setLookedAt, server, look, watch } = await electrumScene()
    const id = await order()
    await sql`
    insert into chain_address (coin, target, address, created_at)
    select 'BTC', 'shared ' || n, 'shared ' || n, now() - interval '1 hour' from generate_series(1, 300) n`.execute(
      db,
    )
    await db
      .updateTable('chain_address')
      .set({ asked_at: new Date(), created_at: new Date(Date.now() - 3_600_000) })
      .where('order_id', '=', id)
      .execute()
    await setLookedAt(3600)
    await moveDeadline(started, id, -120)
    server.height = 250
    await look()
    await enforceDeadlines(started.services)
    expect(await statusOf(id)).toBe('pending')
    expect((await watch()).height).toBe(5)
    server.height = 251
    await look()
    await enforceDeadlines(started.services)
    expect(await statusOf(id)).toBe('cancelled')
    // Up to the tip when the round started.
    expect((await watch()).height).toBe(250)
  },
)

test('does not query final parts of a long history again', async () => {
  const { chain, order, paymentOf, server, look } = await electrumScene()
  const id = await order()
  server.histories.set(
    await chain.targetOf(id),
    Array.from({ length: 400 }, (_, index) => ({
      txId: `entry ${index}`,
      height: 50,
      // Half of them are incoming payments, the other half outgoing.
      amount: index % 2 === 0 ? 10n ** 15n : 0n,
    })),
  )
  await look()
  expect((await paymentOf(id)).received).toBe('0.2')
  Object.assign(server.asked, { headers: 0, transactions: 0 })
  await look()
  expect(server.asked).toMatchObject({ headers: 0, transactions: 0 })
})

/** Simulates that days passed for an order. */
async function passDays(db: Database, id: string, days: number): Promise<void> {
  const before = (column: string) => sql`${sql.ref(column)} - ${days} * interval '1 day'`
  await sql`update token_order set created_at = ${before('created_at')}, pay_before = ${before('pay_before')}
    where id = ${id}`.execute(db)
  await sql`update chain_address set created_at = ${before('created_at')} where order_id = ${id}`.execute(db)
  await sql`update order_step set at = ${before('at')} where order_id = ${id}`.execute(db)
}

const paidIn = (id: string) => [{ txId: `paid ${id}`, height: 190, amount: 5n * 10n ** 17n }]

test('a history server notices a payment for 60 days after an order was closed', async () => {
  const { started, db, buyer, chain, order, statusOf, server, look } = await electrumScene()
  const id = await order()
  await passDays(db, id, 100)
  await look()
  await look()
  await enforceDeadlines(started.services)
  expect(await statusOf(id)).toBe('cancelled')
  await passDays(db, id, 59)
  server.histories.set(await chain.targetOf(id), paidIn(id))
  await look()
  await look()
  expect(await orderMailsTo(started, buyer)).toContain('order-payment-seen-late')
  await passDays(db, id, 2)
  server.height += 200
  await look()
  await look()
  server.asked.histories = 0
  await look()
  // Only the shared address is still asked for.
  expect(server.asked.histories).toBe(1)
})

test('a history server notices a payment for 60 days after the deadline of an order canceled before', async () => {
  const { started, db, buyer, chain, order, statusOf, server, look } = await electrumScene()
  const id = await order()
  await moveDeadline(started, id, (90 * DAY) / 1000)
  await started.call(api.cancelOrder, { params: { id }, body: {} }, { token: buyer.token })
  expect(await statusOf(id)).toBe('cancelled')
  await passDays(db, id, 149)
  server.histories.set(await chain.targetOf(id), paidIn(id))
  await look()
  await look()
  expect(await orderMailsTo(started, buyer)).toContain('order-payment-seen-late')
})
