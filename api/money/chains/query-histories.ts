import { writeDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Database } from '../../platform/db/database.ts'
import { networkOf } from '../../platform/config/read-chains.ts'
import type { HistorySource } from '../../platform/nodes/electrum.ts'
import { NodeFailure, NodeRefusal } from '../../platform/nodes/node-failure.ts'
import { hasUnqueried, listClosedToQuery, listToQuery, markAsked } from './address.queries.ts'
import { setHeight, setNetwork } from './chain.queries.ts'
import type { Lease } from './lease.ts'
import type { Looked } from './scan-blocks.ts'
import { isStalled } from './stalled.ts'
import { listTransfers, markGone, saveTransfers, type FoundTransfer } from './transfer.queries.ts'
import { watchSharedAddresses } from './monitored-targets.ts'

const addressesPerLook = 250
/** Maximum number of addresses of closed orders per poll. */
const closedPerLook = 50
/**
 * Maximum number of entries per address. No order is paid in more parts, and for a shared address only the newest
 * matter.
 */
const entriesMax = 500
/**
 * How long payments to the address of a closed order are still noticed, in milliseconds: after the order was closed, or
 * after its deadline if that is later.
 */
const closedAge = 60 * DAY
/** Entries this many blocks below the final height are not queried again. */
const restingDepth = 100
const spendsMax = 50_000

type Address = { id: string; target: string }

/**
 * State kept between two polls. A round starts with a poll and ends once every address that matters was queried since:
 * only then is it known up to which block the chain was read.
 */
type Asked = {
  round: { startedAt: Date; tipHeight: number } | null
  /** Transactions in the history of an address that paid it nothing: they spent from it. */
  spends: Set<string>
}
export const newAsked = (): Asked => ({ round: null, spends: new Set() })

/** Queries the history of each address in turn. Each response contains the whole history. */
export async function queryHistories(
  db: Database,
  source: HistorySource,
  lease: Lease,
  asked: Asked,
): Promise<Looked> {
  const { chain, isStopped } = lease
  await lease.keep()
  const tip = await source.tip()
  const network = networkOf(chain)
  const startedAt = await lease.hold(async (db, watch) => {
    if (watch.network !== network) await setNetwork(db, chain.coin, network)
    // A node that is syncing again would report unknown transactions as gone.
    else if (tip.height < (watch.height ?? 0)) throw new NodeFailure('behind')
    await watchSharedAddresses(db, chain)
    return watch.tried_at
  })
  const round = (asked.round ??= { startedAt, tipHeight: tip.height })
  const finalHeight = tip.height - chain.confirmations - restingDepth
  const addresses = [
    ...(await listToQuery(db, chain.coin, finalHeight, addressesPerLook)),
    ...(await listClosedToQuery(db, chain.coin, closedAge, closedPerLook)),
  ]
  for (const address of addresses) {
    if (isStopped()) return { tipHeight: tip.height, knownUntil: null }
    await queryHistory(db, source, lease, { address, finalHeight, spends: asked.spends })
  }
  // If the tip moved meanwhile, the queried data is ambiguous, so the next poll repeats it.
  if ((await source.tip()).height < tip.height) throw new NodeFailure('behind')
  if (await hasUnqueried(db, chain.coin, finalHeight, round.startedAt))
    return { tipHeight: tip.height, knownUntil: null }
  asked.round = null
  await lease.hold((db, watch) => setHeight(db, chain.coin, Math.max(watch.height ?? 0, round.tipHeight)))
  if (isStalled(chain, tip)) return { tipHeight: tip.height, knownUntil: null, isStalled: true }
  return { tipHeight: tip.height, knownUntil: round.startedAt }
}

async function queryHistory(
  db: Database,
  source: HistorySource,
  lease: Lease,
  { address, finalHeight, spends }: { address: Address; finalHeight: number; spends: Set<string> },
): Promise<void> {
  const { coin } = lease.chain
  await lease.keep()
  const entries = (await source.historyOf(address.target)).slice(-entriesMax)
  const known = await listTransfers(db, address.id, null, 2 * entriesMax)
  const fresh: FoundTransfer[] = []
  for (const { txId, height } of entries) {
    const spend = `${address.id} ${txId}`
    if (spends.has(spend)) continue
    const same = known.filter((each) => each.tx_id === txId)
    const isSame = same.length > 0 && same.every((each) => !each.gone_at && each.height === height)
    // No block this deep leaves the best chain, so its hash need not be queried again.
    if (isSame && (height === null || height <= finalHeight)) continue
    await lease.keep()
    const header = height === null ? null : await source.headerAt(height)
    const block = header && height !== null ? { height, hash: header.hash, at: header.at } : null
    if (isSame && same.every((each) => each.block_hash === block?.hash)) continue
    await lease.keep()
    const outputs = await outputsOf(source, address, txId, block)
    if (outputs.length === 0 && block) {
      if (spends.size >= spendsMax) spends.clear()
      spends.add(spend)
    }
    fresh.push(...outputs)
  }
  const there = new Map(entries.map(({ txId, height }) => [txId, height]))
  const isWhole = entries.length < entriesMax
  const gone = known.filter(({ tx_id, gone_at }) => isWhole && gone_at === null && !there.has(tx_id))
  // Its block was replaced, and the transaction is waiting for another one.
  const back = known.filter(({ tx_id, height }) => height !== null && there.get(tx_id) === null)
  await lease.hold(async (db) => {
    await markGone(
      db,
      [...gone, ...back].map(({ id }) => id),
    )
    await saveTransfers(db, coin, fresh)
    await markAsked(db, [address.id])
  })
}

async function outputsOf(
  source: HistorySource,
  { id, target }: Address,
  txId: string,
  block: FoundTransfer['block'],
): Promise<FoundTransfer[]> {
  try {
    const moved = await source.transaction(txId)
    return moved
      .filter((each) => each.target === target)
      .map(({ output, amount }) => ({ addressId: id, txId, output, amount: writeDecimal(amount), block }))
  } catch (error) {
    // It left the mempool between the two queries.
    if (error instanceof NodeRefusal && block === null) return []
    throw error
  }
}
