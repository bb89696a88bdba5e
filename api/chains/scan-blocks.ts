import type { Database } from '../db/database.ts'
import type { Block, BlockSource, Moved, Tip } from '../nodes/block-source.ts'
import { NodeFailure } from '../nodes/node-failure.ts'
import { addBlock, dropBlocks, findBlock, setHeight, setNetwork } from './chain.queries.ts'
import type { Lease } from './lease.ts'
import { isStalled } from './stalled.ts'
import { listUnconfirmed, markUnconfirmedGone, saveTransfers, unsettleFrom } from './transfer.queries.ts'
import { found, matchWatched, watchSharedAddresses } from './watched-targets.ts'

/** What a look does at most; what is left comes at the next, at once. */
const blocksPerLook = 50
const stepsPerLook = 400
/** So many transactions that wait for a block are asked about at once. */
const unconfirmedPerPage = 200
/** How far back the first look at a chain goes: about a day of Bitcoin, an hour of Ethereum. */
const firstBlocks = { bitcoin: 144, ethereum: 300 }

export type Looked = {
  tipHeight: number
  /** All that had happened by then is known; null: not yet. */
  knownUntil: Date | null
  /** What the node knows was read, and the network has gone on without it. */
  isStalled?: boolean
  /** Asks the node which of the transactions it does not know, where that says more than what was read. */
  listUnknown?: BlockSource['listGone']
}

/** So many blocks are remembered: a reorganisation that is deeper than any there was is still noticed. */
export const keptBlocks = (confirmations: number): number => Math.max(200, 2 * confirmations)

/**
 * Reads on from the last block that was looked at, goes back where that left the best chain, and then looks into the pool. What a
 * block takes out of the pool meanwhile is in neither: so it reads on to the end once more before it says what is known.
 */
export async function scanBlocks(db: Database, source: BlockSource, lease: Lease): Promise<Looked> {
  const { chain } = lease
  const tip = await syncedTip(source)
  const startedAt = await lease.hold(async (db, watch) => {
    const network = `${chain.kind} ${chain.network}`
    if (watch.network !== network) await setNetwork(db, chain.coin, network)
    if (watch.network !== network || watch.height === null)
      await setHeight(db, chain.coin, Math.max(-1, tip.height - firstBlocks[chain.kind]))
    await watchSharedAddresses(db, chain)
    return watch.tried_at
  })
  if (!(await readOn(db, source, lease, tip))) return { tipHeight: tip.height, knownUntil: null }
  const isPoolRead = await source.readPool((moved) => savePool(db, lease, moved))
  const end = await syncedTip(source)
  const isAtEnd = end.hash === tip.hash || (await readOn(db, source, lease, end))
  // What a block that left the best chain gave back is in no pool that was read.
  const last = await findBlock(db, chain.coin, tip.height)
  if (isAtEnd && (last?.hash ?? tip.hash) === tip.hash) await noteGone(db, source, lease)
  if (isStalled(chain, end)) return { tipHeight: end.height, knownUntil: null, isStalled: true }
  return {
    tipHeight: end.height,
    knownUntil: isAtEnd && isPoolRead ? startedAt : null,
    ...(chain.kind === 'ethereum' && { listUnknown: (txIds) => source.listGone(txIds) }),
  }
}

/** A node that is still being synced knows too little of any block to be asked. */
async function syncedTip(source: BlockSource): Promise<Tip> {
  const tip = await source.tip()
  if (!tip.isSynced) throw new NodeFailure('not_synced')
  return tip
}

/** Whether it came to the end. */
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
    // It knows less than it did, and nothing else: another one of several, or one that was set back. Of one that ends before all
    // that is remembered nothing can be compared: it is believed no more than that.
    if (!known || known.hash === tip.hash) throw new NodeFailure('behind')
    await goBack(lease, tip.height)
    return 'back'
  }
  const block = await source.blockAt(height + 1)
  // The chain became shorter since.
  if (!block) throw new NodeFailure('behind')
  const before = await findBlock(db, coin, height)
  if (before && before.hash !== block.parent) {
    await goBack(lease, height)
    return 'back'
  }
  await takeBlock(db, source, lease, block)
  return 'read'
}

/** The blocks from the height on are not in the best chain any more: what they held is in none, until it is found again. */
const goBack = (lease: Lease, from: number): Promise<void> =>
  lease.hold(async (db) => {
    const left = await dropBlocks(db, lease.chain.coin, from)
    await unsettleFrom(db, lease.chain.coin, from)
    await setHeight(db, lease.chain.coin, Math.max(left ?? from - 1, -1))
  })

/**
 * What is watched is asked for after the block was read: whoever pays was shown the address before, so that it is there. What the
 * node says moved in a block is asked about once more, because a transaction in a block may have failed.
 */
async function takeBlock(db: Database, source: BlockSource, lease: Lease, block: Block): Promise<void> {
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

/** What waits for a block, and is in the pool no more. All of it is asked about, however much somebody has sent there. */
async function noteGone(db: Database, source: BlockSource, lease: Lease): Promise<void> {
  const { coin } = lease.chain
  let txIds: string[] = []
  do {
    txIds = await listUnconfirmed(db, coin, txIds.at(-1) ?? '', unconfirmedPerPage)
    const gone = txIds.length === 0 ? [] : await source.listGone(txIds)
    await lease.hold((db) => markUnconfirmedGone(db, coin, gone))
  } while (txIds.length === unconfirmedPerPage && !lease.isStopped())
}
