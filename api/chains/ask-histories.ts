import { writeDecimal } from '#contract/decimal.ts'
import { DAY } from '#contract/durations.ts'
import type { Database } from '../db/database.ts'
import type { HistorySource } from '../nodes/electrum.ts'
import { NodeFailure, NodeRefusal } from '../nodes/node-failure.ts'
import { isAnyUnasked, listClosedToAsk, listToAsk, markAsked } from './address.queries.ts'
import { setHeight, setNetwork } from './chain.queries.ts'
import type { Lease } from './lease.ts'
import type { Looked } from './scan-blocks.ts'
import { isStalled } from './stalled.ts'
import { listTransfers, markGone, saveTransfers, type FoundTransfer } from './transfer.queries.ts'
import { watchSharedAddresses } from './watched-targets.ts'

const addressesPerLook = 250
/** Of those nobody waits for. */
const closedPerLook = 50
/** Of one address; more is no payment of one order, and a shared one tells its newest. */
const entriesMax = 500
/** What arrives at the address of an order that is closed is noticed for so long. */
const closedAge = 60 * DAY
/** So many blocks below what is final nothing is asked again. */
const restingDepth = 100
const spendsMax = 50_000

type Address = { id: string; target: string }

/**
 * What is remembered between two looks. A round begins with a look and ends once every address that matters was asked since: then
 * it is known how far the chain was looked at, which no look at some of them tells.
 */
export type Asked = {
  round: { startedAt: Date; tipHeight: number } | null
  /** Transactions in the history of an address that brought it nothing: it spent by them. */
  spends: Set<string>
}
export const newAsked = (): Asked => ({ round: null, spends: new Set() })

/** Asks for the history of each address in turns: the server's answer is the whole of it. */
export async function askHistories(
  db: Database,
  source: HistorySource,
  lease: Lease,
  asked: Asked,
): Promise<Looked> {
  const { chain, isStopped } = lease
  await lease.keep()
  const tip = await source.tip()
  const network = `${chain.kind} ${chain.network}`
  const startedAt = await lease.hold(async (db, watch) => {
    if (watch.network !== network) await setNetwork(db, chain.coin, network)
    // One that is being synced anew would say of what it does not know yet that it is gone.
    else if (tip.height < (watch.height ?? 0)) throw new NodeFailure('behind')
    await watchSharedAddresses(db, chain)
    return watch.tried_at
  })
  const round = (asked.round ??= { startedAt, tipHeight: tip.height })
  const finalHeight = tip.height - chain.confirmations - restingDepth
  const addresses = [
    ...(await listToAsk(db, chain.coin, finalHeight, addressesPerLook)),
    ...(await listClosedToAsk(db, chain.coin, closedAge, closedPerLook)),
  ]
  for (const address of addresses) {
    if (isStopped()) return { tipHeight: tip.height, knownUntil: null }
    await askHistory(db, source, lease, { address, finalHeight, spends: asked.spends })
  }
  // Of an end that moved meanwhile the next look tells: what was asked belongs to either.
  if ((await source.tip()).height < tip.height) throw new NodeFailure('behind')
  if (await isAnyUnasked(db, chain.coin, finalHeight, round.startedAt))
    return { tipHeight: tip.height, knownUntil: null }
  asked.round = null
  await lease.hold((db, watch) => setHeight(db, chain.coin, Math.max(watch.height ?? 0, round.tipHeight)))
  if (isStalled(chain, tip)) return { tipHeight: tip.height, knownUntil: null, isStalled: true }
  return { tipHeight: tip.height, knownUntil: round.startedAt }
}

async function askHistory(
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
    // So deep no block leaves the best chain, and its hash need not be asked for again.
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
  // Its block was replaced, and it waits for another one.
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
    // It left the pool between the two questions.
    if (error instanceof NodeRefusal && block === null) return []
    throw error
  }
}
