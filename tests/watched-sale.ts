import { createHash } from 'node:crypto'
import { pollAndEvaluate } from '#api/money/chain-payments/monitor-chains.ts'
import type { ReadChain } from '#api/money/chains/poll-chain.ts'
import { scanBlocks } from '#api/money/chains/scan-blocks.ts'
import type { BlockSource, Moved } from '#api/platform/nodes/block-source.ts'
import { NodeFailure } from '#api/platform/nodes/node-failure.ts'
import { api } from '#contract/api.ts'
import type { ChainPayment } from '#contract/money/chain-payments.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { aSignedInMember, type TestMember } from './builders.ts'
import { aBuyer, anOrderOf } from './orders.ts'
import { startApi, type TestApi } from './setup/start-api.ts'

const settings = {
  CHAIN_BTC_URL: 'http://127.0.0.1:9',
  CHAIN_BTC_XPUB:
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  CHAIN_BTC_CONFIRMATIONS: '3',
}

type Mined = { hash: string; parent: string; at: Date; moved: Moved[] }

/** Targets are hexadecimal, without hyphens. */
const isOrderId = (orderOrTarget: string): boolean => orderOrTarget.includes('-')

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A simulated chain with a mempool, whose blocks can be added and removed, and a function that polls it. */
export function aChain(started: TestApi, coin = 'BTC') {
  const blocks: Mined[] = [{ hash: hashOf('genesis'), parent: '', at: new Date(0), moved: [] }]
  let pool: Moved[] = []
  const dropped: Moved[] = []
  let [isDown, isSynced, isPoolLong, count] = [false, true, false, 0]
  const last = () => blocks.at(-1)!
  const source: BlockSource = {
    async tip() {
      if (isDown) throw new NodeFailure('unreachable')
      return { height: blocks.length - 1, hash: last().hash, at: last().at, isSynced }
    },
    blockAt: async (height) => (blocks[height] ? { height, ...blocks[height] } : undefined),
    async readPool(keep) {
      await keep(pool)
      return !isPoolLong
    },
    listGone: async (ids) => ids.filter((id) => !pool.some(({ txId }) => txId === id.replace(/^0x/, ''))),
    confirm: async (moved) => [...moved],
  }
  const read: ReadChain = ({ db }, lease) => scanBlocks(db, source, lease)
  const targetOf = async (orderId: string): Promise<string> => {
    const { target } = await started.services.db
      .selectFrom('chain_address')
      .select('target')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    return target
  }
  return {
    read,
    targetOf,
    /** Adds a transaction to the mempool, paying orders or other addresses. */
    async pay(to: Record<string, string>): Promise<string> {
      const txId = hashOf(`transaction ${(count += 1)}`)
      for (const [index, [orderId, amount]] of Object.entries(to).entries())
        pool.push({
          txId,
          output: index,
          target: isOrderId(orderId) ? await targetOf(orderId) : orderId,
          amount: parseDecimal(amount),
        })
      return txId
    },
    mine(times = 1, at = new Date()): void {
      for (let left = times; left > 0; left -= 1) {
        blocks.push({ hash: hashOf(`block ${(count += 1)}`), parent: last().hash, at, moved: pool })
        pool = []
      }
    },
    /** Adds blocks that leave the mempool unchanged. */
    mineEmpty(times: number): void {
      for (let left = times; left > 0; left -= 1)
        blocks.push({ hash: hashOf(`block ${(count += 1)}`), parent: last().hash, at: new Date(), moved: [] })
    },
    /** Removes the last blocks from the best chain. Their transactions return to the mempool or disappear. */
    unmine(times: number, isBackInPool = true): void {
      const undone = blocks.splice(blocks.length - times).flatMap(({ moved }) => moved)
      if (isBackInPool) pool = [...undone, ...pool]
    },
    drop(txId: string): void {
      dropped.push(...pool.filter((each) => each.txId === txId))
      pool = pool.filter((each) => each.txId !== txId)
    },
    /** Broadcasts a dropped transaction again. */
    restore(txId: string): void {
      pool.push(...dropped.filter((each) => each.txId === txId))
    },
    setDown(down: boolean): void {
      isDown = down
    },
    setSynced(synced: boolean): void {
      isSynced = synced
    },
    /** With a long mempool, the rest is read later. */
    setPoolLong(long: boolean): void {
      isPoolLong = long
    },
    /** Simulates another node of the same chain with fewer blocks. Returns a function that restores the chain. */
    shorten(height: number): () => void {
      const rest = blocks.splice(height + 1)
      return () => void blocks.push(...rest)
    },
    /** Polls the chain once, as if it were due. */
    async look(by: TestApi = started, holder?: string) {
      const { db, config } = by.services
      await db
        .updateTable('chain_watch')
        .set({ next_at: new Date(0) })
        .where('coin', '=', coin)
        .execute()
      const chain = config.chains.find((each) => each.coin === coin)!
      return pollAndEvaluate(by.services, chain, read, { holder })
    },
  }
}

/** An order page and the chain that it is paid on, with finance's view of it. */
export async function aWatchedSale(
  more: Record<string, string> = {},
  until?: Parameters<typeof startApi>[1],
) {
  const started = await startApi({ ...settings, ...more }, until)
  const buyer = await aBuyer(started)
  const officer = await aSignedInMember(started, { manage_finance: 1 })
  const chain = aChain(started)
  chain.mine(5)
  await chain.look()
  const paymentOf = async (id: string): Promise<ChainPayment> => {
    const { body } = await started.call(api.getChainPayment, { params: { id } }, { token: buyer.token })
    return body.payment!
  }
  const order = async (amount = '0.5') => (await anOrderOf(started, buyer, 'BTC', amount))._id
  const detail = async (id: string) =>
    (await started.call(api.getConsoleOrder, { params: { id } }, { token: officer.token })).body
  const actions = async (id: string) =>
    (
      await started.services.db
        .selectFrom('audit_entry')
        .select(['action', 'actor_id'])
        .where('subject_id', '=', id)
        .where('action', 'in', ['order-payment-seen', 'order-payment-gone', 'order-completed-by-chain'])
        .orderBy('id')
        .execute()
    ).map(({ action, actor_id }) => `${action} ${actor_id ?? 'by the program'}`)
  return { started, buyer, officer, chain, paymentOf, order, detail, actions }
}

export const listFlagged = async (
  started: TestApi,
  officer: TestMember,
  flag: 'ready_to_complete' | 'payment_gone',
) =>
  (await started.call(api.listConsoleOrders, { query: { flag } }, { token: officer.token })).body.map(
    ({ id, flags }) => ({ id, isFlagged: flags.includes(flag) }),
  )
