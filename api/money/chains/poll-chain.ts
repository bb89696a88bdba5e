import type { ChainError } from '#contract/money/chain-payments.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { instance } from '../../platform/jobs/instance.ts'
import { bitcoinRpc } from '../../platform/nodes/bitcoin-rpc.ts'
import type { BlockSource } from '../../platform/nodes/block-source.ts'
import { openElectrum } from '../../platform/nodes/electrum.ts'
import { ethereumRpc } from '../../platform/nodes/ethereum-rpc.ts'
import { jsonRpc } from '../../platform/nodes/json-rpc.ts'
import { NodeFailure, NodeRefusal } from '../../platform/nodes/node-failure.ts'
import type { ChainSetting } from '../../platform/config/read-chains.ts'
import type { Services } from '../../platform/services.ts'
import { queryHistories, newAsked } from './query-histories.ts'
import { releaseWatch, acquireWatch } from './chain.queries.ts'
import { LeaseLost, leaseOf, leaseTime, type Lease } from './lease.ts'
import { scanBlocks, type Looked } from './scan-blocks.ts'

const nothingKnown = { tipHeight: null, knownUntil: null }
const waitMax = 5 * MINUTE

type Needed = Pick<Services, 'db' | 'config' | 'log'>
/** Reads a chain, with state kept between two polls. */
export type ReadChain = (needed: Needed, lease: Lease) => Promise<Looked>

export function readerOf(
  chain: ChainSetting,
  url: string,
  since?: (db: Tx) => Promise<Date | null>,
): ReadChain {
  if (chain.way === 'electrum') {
    const asked = newAsked()
    return async ({ db }, lease) => {
      const source = await openElectrum(url, chain.network)
      try {
        return await queryHistories(db, source, lease, asked)
      } finally {
        source.end()
      }
    }
  }
  const rpc = jsonRpc(url)
  const source: BlockSource =
    chain.way === 'bitcoin_rpc' ? bitcoinRpc(rpc, chain.network) : ethereumRpc(rpc, chain.network)
  return ({ db }, lease) => scanBlocks(db, source, lease, since)
}

/** The instance that polls, and how it learns that it is shutting down. */
export type Poller = { isStopped?: () => boolean; holder?: string | undefined }

/**
 * Polls a chain once, if it is due and no other instance is polling it. `act` handles the result while the lease is
 * held. The wait grows with each failure of the node.
 */
export async function pollChain(
  needed: Needed,
  chain: ChainSetting,
  { read, act }: { read: ReadChain; act: (looked: Looked, lease: Lease) => Promise<unknown> },
  { isStopped = () => false, holder = instance.id }: Poller = {},
): Promise<'looked' | 'failed' | 'taken'> {
  const { db, config, log } = needed
  const watch = await transaction(db, (db) => acquireWatch(db, chain.coin, holder, leaseTime))
  if (!watch) return 'taken'
  const lease = leaseOf(db, chain, isStopped, holder)
  let looked: Looked | undefined
  let failure: ChainError | null = null
  try {
    looked = await read(needed, lease)
    await act(looked, lease)
    if (looked.isStalled) throw new NodeFailure('stalled')
  } catch (error) {
    if (error instanceof LeaseLost) return 'taken'
    failure = reasonOf(error)
    if (failure === null) throw error
    if (watch.failure !== failure) log.warn({ coin: chain.coin, failure }, 'a chain could not be scanned')
  }
  const { tipHeight, knownUntil } = looked ?? nothingKnown
  const wait =
    failure === null
      ? waitAfterSuccess(knownUntil, config.chainPollInterval)
      : waitAfterFailure(watch.failures + 1, config.chainPollInterval)
  await releaseWatch(db, chain.coin, holder, {
    // Random jitter, so that instances that failed together don't retry together.
    wait: wait * (0.8 + Math.random() * 0.2),
    failure,
    tipHeight,
    knownUntil,
  })
  return failure === null ? 'looked' : 'failed'
}

/** A chain that has not been scanned to its tip is polled again at once. */
const waitAfterSuccess = (knownUntil: Date | null, interval: number): number => (knownUntil ? interval : 0)

const waitAfterFailure = (failures: number, interval: number): number =>
  Math.min(waitMax, interval * 2 ** Math.min(failures, 10))

/** Null if the node is not at fault. */
const reasonOf = (error: unknown): ChainError | null =>
  error instanceof NodeFailure ? error.reason : error instanceof NodeRefusal ? 'failed' : null
