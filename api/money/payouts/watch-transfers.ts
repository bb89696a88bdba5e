import { SECOND } from '#contract/platform/durations.ts'
import { tokenCoin } from '#contract/money/chain-payments.ts'
import brand from '#content/brand.json' with { type: 'json' }
import type { TokenChain } from '#contract/platform/chain-address.ts'
import { networkOf } from '../../platform/config/read-chains.ts'
import type { TokenSetting, TokenWatch } from '../../platform/config/read-token.ts'
import type { Tx } from '../../platform/db/database.ts'
import { startEvery } from '../../platform/jobs/start-every.ts'
import type { Worker } from '../../platform/module.ts'
import { jsonRpc } from '../../platform/nodes/json-rpc.ts'
import { tokenSource } from '../../platform/nodes/token-transfers.ts'
import type { Services } from '../../platform/services.ts'
import { outputScript } from '../../platform/chain-keys/bitcoin-networks.ts'
import { watchShared } from '../chains/address.queries.ts'
import type { Lease } from '../chains/lease.ts'
import { pollChain, readerOf, type Poller, type ReadChain } from '../chains/poll-chain.ts'
import { scanBlocks, type Looked } from '../chains/scan-blocks.ts'
import { recordDeliveries } from '../deliveries/record-deliveries.ts'
import { notifyAboutTransfers, notifyOwnersOfDeliveries } from './notify-about-payouts.ts'
import {
  lockItems,
  lockRun,
  lockTransactions,
  touchRun,
  type LockedItem,
  type RunRow,
} from './payout.queries.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import {
  confirmByNetwork,
  findUnprovenSince,
  listRunsToConfirm,
  listRunsToProve,
  listToConfirm,
  listToRevert,
  listTransfersOfRun,
  listUnprovenAddresses,
  proveItem,
  revertItems,
  type Transfer,
} from './transfer.queries.ts'

type Needed = Pick<Services, 'db' | 'keys' | 'config' | 'log' | 'maintenance'>

/** Reads the transfers of the token, with state kept between two polls. */
export function readerOfToken(token: TokenSetting, { chain, url, treasury }: TokenWatch): ReadChain {
  const network = networkOf(chain)
  const since = (db: Tx) => findUnprovenSince(db, network)
  if (chain.kind === 'bitcoin') {
    const read = readerOf(chain, url, since)
    return async (needed, lease) => {
      // Runs may be older than the settings of the node.
      await lease.hold(async (db) => watchAddressesOf(db, token, await listUnprovenAddresses(db, network)))
      return read(needed, lease)
    }
  }
  const source = tokenSource(jsonRpc(url), chain.network, { ...token, treasury })
  return ({ db }, lease) => scanBlocks(db, source, lease, since)
}

/** Polls the chain of the token once, and records what it proves about payout runs. */
export const pollTransfers = (
  services: Needed,
  { chain }: TokenWatch,
  read: ReadChain,
  poller: Poller = {},
): ReturnType<typeof pollChain> =>
  pollChain(services, chain, { read, act: (looked, lease) => actOn(services, looked, lease) }, poller)

async function actOn(services: Needed, { tipHeight }: Looked, lease: Lease): Promise<void> {
  for (const id of await listRunsToProve(services.db)) {
    if (lease.isStopped()) return
    await lease.hold((db) => proveRun(db, id))
  }
  // The first confirmation is the block itself.
  const finalHeight = tipHeight - lease.chain.confirmations + 1
  for (const id of await listRunsToConfirm(services.db, finalHeight)) {
    if (lease.isStopped()) return
    await lease.hold((db) => confirmRun(db, services, id, finalHeight))
  }
  await lease.hold((db) => notifyAboutTransfers(db, services))
}

const isPaidBy = (item: LockedItem, transfer: Transfer): boolean =>
  item.is_live &&
  item.transfer_id === null &&
  item.address === transfer.address &&
  item.amount === transfer.amount

/** Records the transfers that paid a run. Of equal items, the one with the recorded transaction or the first is meant. */
async function proveRun(db: Tx, id: string): Promise<void> {
  const run = await lockRun(db, id)
  if (!run || run.cancelled_at) return
  await lockTransactions(db)
  const open = new Set(await lockItems(db, id))
  const sent: LockedItem[] = []
  let proved = 0
  for (const transfer of await listTransfersOfRun(db, id)) {
    const paid = [...open].filter((item) => isPaidBy(item, transfer))
    const item = paid.find(({ tx_id }) => tx_id === transfer.tx_id) ?? paid.find(({ tx_id }) => tx_id === '')
    if (!item) continue
    open.delete(item)
    await proveItem(db, item.id, transfer)
    proved += 1
    if (item.sent_at === null) sent.push(item)
  }
  if (proved === 0) return
  await touchRun(db, id)
  await auditRun(db, { by: null, action: 'payout-transfers-found' }, run, { count: proved })
  await recordDeliveries(db, deliveriesOf(sent), 'sent')
}

const deliveriesOf = (items: readonly LockedItem[]): string[] => items.map(({ delivery_id }) => delivery_id)

/** Confirms what is deep enough, and takes back what left the chain. */
async function confirmRun(db: Tx, services: Needed, id: string, finalHeight: number): Promise<void> {
  const run = await lockRun(db, id)
  if (!run) return
  const items = await lockItems(db, id)
  const chosen = (ids: readonly string[]) => items.filter((item) => ids.includes(item.id))
  const lost = chosen(await listToRevert(db, id))
  if (lost.length > 0) {
    await revertItems(
      db,
      lost.map((item) => item.id),
    )
    await recordDeliveries(db, deliveriesOf(lost), 'reverted')
  }
  const final = chosen(await listToConfirm(db, id, finalHeight))
  if (final.length > 0) await confirmItems(db, services, { run, items, final })
  if (lost.length + final.length > 0) await touchRun(db, id)
}

type Confirmed = { run: RunRow; items: readonly LockedItem[]; final: readonly LockedItem[] }

async function confirmItems(db: Tx, services: Needed, { run, items, final }: Confirmed): Promise<void> {
  await confirmByNetwork(
    db,
    final.map(({ id }) => id),
  )
  await recordDeliveries(db, deliveriesOf(final), 'confirmed')
  const isDone = items.every((item) => !item.is_live || item.confirmed_at || final.includes(item))
  if (isDone) await recordRunChange(db, run, 'done')
  await notifyOwnersOfDeliveries(db, services, final)
}

/** On chains whose transfers name no sender, only the addresses of runs are monitored. */
export async function watchAddressesOf(
  db: Tx,
  { watch }: TokenSetting,
  addresses: readonly string[],
): Promise<void> {
  if (!watch || watch.chain.kind !== 'bitcoin') return
  const targets = addresses.flatMap((address) => scriptsOf(address).map((target) => ({ address, target })))
  await watchShared(db, tokenCoin, targets)
}

/**
 * The output scripts that pay to an address of the token's own chain. Its content doesn't say which version byte stands
 * for a key and which for a script, but no key and script have the same hash, so both are watched.
 */
export function scriptsOf(address: string): string[] {
  const { prefix = '', versions = [] } = brand.chain as TokenChain
  const none = -1
  const networks = [
    { prefix, publicKeyHash: none, scriptHash: none },
    ...versions.flatMap((version) => [
      { prefix, publicKeyHash: version, scriptHash: none },
      { prefix, publicKeyHash: none, scriptHash: version },
    ]),
  ]
  return [...new Set(networks.flatMap((network) => outputScript(address, network) ?? []))]
}

/** Starts the watcher if a node of the token's network is configured. */
export function startTokenWatcher(services: Needed): Worker | undefined {
  const { token, chainPollInterval } = services.config
  if (!token.watch) return undefined
  const { watch } = token
  const read = readerOfToken(token, watch)
  return startEvery(services, {
    job: 'tokenTransfers',
    every: Math.min(chainPollInterval, 5 * SECOND),
    work: (isStopped) => pollTransfers(services, watch, read, { isStopped }),
    failed: 'reading the transfers of the token failed',
  })
}
