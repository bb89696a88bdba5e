import type { Database } from '../db/database.ts'
import type { Block, BlockSource, Tip } from '../nodes/block-source.ts'
import { NodeFailure } from '../nodes/node-failure.ts'
import { addBlock, dropBlocks, findBlock, setHeight, setNetwork } from './chain.queries.ts'
import type { Lease } from './lease.ts'
import { listUnconfirmed, markGone, saveTransfers, unsettleFrom } from './transfer.queries.ts'
import { found, matchWatched, watchSharedAddresses } from './watched-targets.ts'

/** What a look does at most; what is left comes at the next, at once. */
const blocksPerLook = 50
const stepsPerLook = 400
const unconfirmedMax = 200
/** How far back the first look at a chain goes: about a day of Bitcoin, an hour of Ethereum. */
const firstBlocks = { bitcoin: 144, ethereum: 300 }

export type Looked = { tipHeight: number; hasReachedEnd: boolean }

/** So many blocks are remembered: a reorganisation that is deeper than any there was is still noticed. */
export const keptBlocks = (confirmations: number): number => Math.max(200, 2 * confirmations)

/** Reads on from the last block that was looked at, goes back where that left the best chain, and then looks into the pool. */
export async function scanBlocks(db: Database, source: BlockSource, lease: Lease): Promise<Looked> {
  const { chain, isStopped } = lease
  const tip = await source.tip()
  await lease.hold(async (db, watch) => {
    const network = `${chain.kind} ${chain.network}`
    if (watch.network !== network) await setNetwork(db, chain.coin, network)
    if (watch.network !== network || watch.height === null)
      await setHeight(db, chain.coin, Math.max(-1, tip.height - firstBlocks[chain.kind]))
    await watchSharedAddresses(db, chain)
  })
  let [read, hasReachedEnd] = [0, false]
  for (let steps = 0; steps < stepsPerLook && read < blocksPerLook && !isStopped(); steps += 1) {
    const step = await takeStep(db, source, lease, tip)
    if (step === 'read') read += 1
    hasReachedEnd = step === 'end'
    if (hasReachedEnd) break
  }
  if (hasReachedEnd && tip.isSynced) await lookIntoPool(db, source, lease, tip)
  if (!tip.isSynced) throw new NodeFailure('not_synced')
  return { tipHeight: tip.height, hasReachedEnd }
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
    const isSame = known === undefined || known.hash === tip.hash
    if (isSame && height === tip.height) return 'end'
    // It knows less than it did, and nothing else: another one of several, or one that was set back.
    if (isSame && known) throw new NodeFailure('behind')
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

async function lookIntoPool(db: Database, source: BlockSource, lease: Lease, tip: Tip): Promise<void> {
  const { chain } = lease
  const matched = await matchWatched(db, chain, await source.pool())
  if (matched.length > 0)
    await lease.hold((db) =>
      saveTransfers(
        db,
        chain.coin,
        matched.map((each) => found(each, null)),
      ),
    )
  const unconfirmed = await listUnconfirmed(db, chain.coin, unconfirmedMax)
  if (unconfirmed.length === 0) return
  const gone = new Set(await source.listGone([...new Set(unconfirmed.map(({ tx_id }) => tx_id))]))
  if (gone.size === 0) return
  // A block that came meanwhile may have taken them in.
  if ((await source.tip()).hash !== tip.hash) return
  const ids = unconfirmed.filter(({ tx_id }) => gone.has(tx_id)).map(({ id }) => id)
  await lease.hold((db) => markGone(db, ids))
}
