import type { Database, Tx } from '../../platform/db/database.ts'
import { networkOf } from '../../platform/config/read-chains.ts'
import type { Block, BlockSource, Moved, Tip } from '../../platform/nodes/block-source.ts'
import { NodeFailure } from '../../platform/nodes/node-failure.ts'
import { addBlock, deleteBlocks, findBlock, findWatch, setHeight, setNetwork } from './chain.queries.ts'
import type { Lease } from './lease.ts'
import { isStalled } from './stalled.ts'
import {
  listUnconfirmed,
  markUnconfirmedGone,
  saveTransfers,
  markUnconfirmedFrom,
} from './transfer.queries.ts'
import { found, matchWatched, watchSharedAddresses } from './monitored-targets.ts'

/** Maximum work per poll; the rest follows at the next poll, without waiting. */
const blocksPerLook = 50
const stepsPerLook = 400
/** Number of unconfirmed transactions queried at once. */
const unconfirmedPerPage = 200
/** How many blocks back the first poll of a chain goes: about a day of Bitcoin, an hour of Ethereum. */
const firstBlocks = { bitcoin: 144, ethereum: 300 }

export type Looked = {
  tipHeight: number
  /** Everything up to this time is known; null: not yet. */
  knownUntil: Date | null
  /** The node has no more data, but the network has moved on without it. */
  isStalled?: boolean
  /** Asks the node which of the transactions it doesn't know, if that tells more than the data already read. */
  listUnknown?: BlockSource['listGone']
}

/** Number of blocks to keep: enough to notice a reorganization deeper than any in history. */
const keptBlocks = (confirmations: number): number => Math.max(200, 2 * confirmations)

/**
 * Reads on from the last block, goes back if that block left the best chain, and then reads the mempool. A transaction
 * that enters a block in between is in neither, so the blocks are read to the tip once more before anything is reported
 * as known. The first poll goes back to `since` if that is further than usual.
 */
export async function scanBlocks(
  db: Database,
  source: BlockSource,
  lease: Lease,
  since: (db: Tx) => Promise<Date | null> = () => Promise.resolve(null),
): Promise<Looked> {
  const { chain } = lease
  const tip = await syncedTip(source)
  const network = networkOf(chain)
  const known = await findWatch(db, chain.coin)
  const isFirst = known?.network !== network || known.height === null
  const first = isFirst ? await firstHeight(source, lease, tip, await since(db)) : null
  const startedAt = await lease.hold(async (db, watch) => {
    if (watch.network !== network) await setNetwork(db, chain.coin, network)
    if (first !== null) await setHeight(db, chain.coin, first)
    await watchSharedAddresses(db, chain)
    return watch.tried_at
  })
  if (!(await readOn(db, source, lease, tip))) return { tipHeight: tip.height, knownUntil: null }
  const isPoolRead = await source.readPool((moved) => savePool(db, lease, moved))
  const end = await syncedTip(source)
  const isAtEnd = end.hash === tip.hash || (await readOn(db, source, lease, end))
  // Transactions returned from an abandoned block are not in the mempool as read before.
  const last = await findBlock(db, chain.coin, tip.height)
  if (isAtEnd && (last?.hash ?? tip.hash) === tip.hash) await recordGone(db, source, lease)
  if (isStalled(chain, end)) return { tipHeight: end.height, knownUntil: null, isStalled: true }
  return {
    tipHeight: end.height,
    knownUntil: isAtEnd && isPoolRead ? startedAt : null,
    ...(chain.kind === 'ethereum' && { listUnknown: (txIds) => source.listGone(txIds) }),
  }
}

/** Goes back in growing steps, so that a node without the oldest blocks is asked only for what is needed. */
async function firstHeight(source: BlockSource, lease: Lease, tip: Tip, since: Date | null): Promise<number> {
  let step = firstBlocks[lease.chain.kind]
  let height = Math.max(-1, tip.height - step)
  while (since && height >= 0) {
    await lease.keep()
    const block = await source.blockAt(height)
    if (!block) throw new NodeFailure('behind')
    if (block.at < since) break
    height = Math.max(-1, height - step)
    step *= 2
  }
  return height
}

/** Rejects a node that is still syncing, because it knows too little. */
async function syncedTip(source: BlockSource): Promise<Tip> {
  const tip = await source.tip()
  if (!tip.isSynced) throw new NodeFailure('not_synced')
  return tip
}

/** Returns whether it reached the tip. */
async function readOn(db: Database, source: BlockSource, lease: Lease, tip: Tip): Promise<boolean> {
  for (let [steps, read] = [0, 0]; steps < stepsPerLook && read < blocksPerLook; steps += 1) {
    if (lease.isStopped()) return false
    const step = await takeStep(db, source, lease, tip)
    if (step === 'end') return true
    if (step === 'read') read += 1
  }
  return false
}

async function takeStep(
  db: Database,
  source: BlockSource,
  lease: Lease,
  tip: Tip,
): Promise<'read' | 'back' | 'end'> {
  const { coin } = lease.chain
  const { height } = await lease.hold(async (_, watch) => ({ height: watch.height ?? -1 }))
  if (height >= tip.height) {
    const known = await findBlock(db, coin, tip.height)
    if (height === tip.height && (!known || known.hash === tip.hash)) return 'end'
    // The node knows less than before: it is another node behind a load balancer, or was reset. Blocks beyond its tip
    // can't be compared, so they are only discarded if its last block differs from the stored one.
    if (!known || known.hash === tip.hash) throw new NodeFailure('behind')
    await goBack(lease, tip.height)
    return 'back'
  }
  const block = await source.blockAt(height + 1)
  // The chain became shorter in between.
  if (!block) throw new NodeFailure('behind')
  const before = await findBlock(db, coin, height)
  if (before && before.hash !== block.parent) {
    await goBack(lease, height)
    return 'back'
  }
  await processBlock(db, source, lease, block)
  return 'read'
}

/**
 * Records that the blocks from the height on left the best chain: their transactions are unconfirmed until found again.
 */
const goBack = (lease: Lease, from: number): Promise<void> =>
  lease.hold(async (db) => {
    const left = await deleteBlocks(db, lease.chain.coin, from)
    await markUnconfirmedFrom(db, lease.chain.coin, from)
    await setHeight(db, lease.chain.coin, Math.max(left ?? from - 1, -1))
  })

/**
 * Reads a block. Monitored addresses are listed after reading it, so that every address shown to a payer by then is
 * included. Transfers found in the block are queried once more, because a transaction in a block may have failed.
 */
async function processBlock(db: Database, source: BlockSource, lease: Lease, block: Block): Promise<void> {
  const { chain } = lease
  await watchSharedAddresses(db, chain)
  const matched = await matchWatched(db, chain, block.moved)
  await lease.keep()
  const confirmed = new Set((await source.confirm(matched, block.hash)).map(({ txId }) => txId))
  const moved = matched.filter(({ txId }) => confirmed.has(txId))
  await lease.hold(async (db, watch) => {
    if ((watch.height ?? -1) !== block.height - 1) return
    await addBlock(db, chain.coin, block, keptBlocks(chain.confirmations))
    await saveTransfers(
      db,
      chain.coin,
      moved.map((each) => found(each, block)),
    )
    await setHeight(db, chain.coin, block.height)
  })
}

async function savePool(db: Database, lease: Lease, moved: readonly Moved[]): Promise<void> {
  const matched = await matchWatched(db, lease.chain, moved)
  await lease.hold((db) =>
    saveTransfers(
      db,
      lease.chain.coin,
      matched.map((each) => found(each, null)),
    ),
  )
}

/**
 * Records unconfirmed transactions that are no longer in the mempool. All of them are checked, even if someone sent a
 * flood of them.
 */
async function recordGone(db: Database, source: BlockSource, lease: Lease): Promise<void> {
  const { coin } = lease.chain
  let txIds: string[] = []
  do {
    txIds = await listUnconfirmed(db, coin, txIds.at(-1) ?? '', unconfirmedPerPage)
    const gone = txIds.length === 0 ? [] : await source.listGone(txIds)
    await lease.hold((db) => markUnconfirmedGone(db, coin, gone))
  } while (txIds.length === unconfirmedPerPage && !lease.isStopped())
}
