import { writeDecimal } from '#contract/decimal.ts'
import { DAY } from '#contract/durations.ts'
import type { Database } from '../db/database.ts'
import type { HistorySource } from '../nodes/electrum.ts'
import { NodeFailure, NodeRefusal } from '../nodes/node-failure.ts'
import { listToAsk, markAsked } from './address.queries.ts'
import { setHeight, setNetwork } from './chain.queries.ts'
import type { Lease } from './lease.ts'
import type { Looked } from './scan-blocks.ts'
import { listTransfers, markGone, saveTransfers, type FoundTransfer } from './transfer.queries.ts'
import { watchSharedAddresses } from './watched-targets.ts'

const addressesPerLook = 300
/** Of one address; more is no payment of one order, and a shared one tells its newest. */
const entriesMax = 500
/** What arrives at the address of an order that is closed is noticed for so long. */
const closedAge = 60 * DAY

type Address = { id: string; target: string }

/** Asks for the history of each address in turns: the server's answer is the whole of it. */
export async function askHistories(db: Database, source: HistorySource, lease: Lease): Promise<Looked> {
  const { chain, isStopped } = lease
  const tip = await source.tip()
  await lease.hold(async (db, watch) => {
    const network = `${chain.kind} ${chain.network}`
    if (watch.network !== network) await setNetwork(db, chain.coin, network)
    await watchSharedAddresses(db, chain)
  })
  const addresses = await listToAsk(db, chain.coin, {
    limit: addressesPerLook,
    finalHeight: tip.height - chain.confirmations - 100,
    age: closedAge,
  })
  for (const address of addresses) {
    if (isStopped()) return { tipHeight: tip.height, hasReachedEnd: false }
    await askHistory(db, source, lease, address)
  }
  // Of an end that moved meanwhile the next look tells: what was asked belongs to either.
  if ((await source.tip()).height < tip.height) throw new NodeFailure('behind')
  await lease.hold((db) => setHeight(db, chain.coin, tip.height))
  return { tipHeight: tip.height, hasReachedEnd: true }
}

async function askHistory(
  db: Database,
  source: HistorySource,
  lease: Lease,
  address: Address,
): Promise<void> {
  const { coin } = lease.chain
  const entries = (await source.historyOf(address.target)).slice(-entriesMax)
  const known = await listTransfers(db, address.id, null, 2 * entriesMax)
  const fresh: FoundTransfer[] = []
  for (const { txId, height } of entries) {
    const header = height === null ? null : await source.headerAt(height)
    const block = header && height !== null ? { height, hash: header.hash, at: header.at } : null
    const same = known.filter((each) => each.tx_id === txId)
    if (same.length > 0 && same.every((each) => !each.gone_at && each.block_hash === (block?.hash ?? null)))
      continue
    fresh.push(...(await outputsOf(source, address, txId, block)))
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
