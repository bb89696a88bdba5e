import type { ChainPayment } from '#contract/money/chain-payments.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { targetOf } from '../../platform/chain-keys/account-key.ts'
import { findAddressOfOrder, findSharedAddress } from '../chains/address.queries.ts'
import { chainOf, type ChainSetting } from '../../platform/config/read-chains.ts'
import { findWatch } from '../chains/chain.queries.ts'
import { listTransfers } from '../chains/transfer.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { findCancelledAt } from '../orders/order-history.queries.ts'
import type { OrderRow } from '../orders/order.queries.ts'
import { findWithdrawalOfOrder } from '../orders/withdrawals/withdrawal.queries.ts'
import { isOpen, isWithdrawn } from '../orders/withdrawals/withdrawal.rules.ts'
import { evaluatePayment, type Judged, type Transfer, type Verdict } from './evaluate-payment.rules.ts'

/** Maximum number of transfers read per address; no one pays in more parts. */
const transfersMax = 500
/** After this many milliseconds without a response from the node, the data of a chain counts as stale. */
export const staleAfter = 5 * MINUTE

export type Evidence = {
  chain: ChainSetting
  isOwnAddress: boolean
  judged: Judged
  verdict: Verdict
  transfers: readonly Transfer[]
  lookedAt: Date | null
  /** Since when the address has been monitored; null if it isn't. */
  watchedSince: Date | null
  isStale: boolean
  /** Whether the order must be neither paid nor completed. */
  isBeingWithdrawn: boolean
  /** Whether finance is deciding about the payment or refunding it. */
  isWithdrawalOpen: boolean
}

/**
 * Returns what is known on chain about an order's payment: everything at its own address, or else what the reported
 * transaction paid to the shared address. Undefined if its coin is not monitored or the order has no address.
 */
export async function readEvidence(
  db: Tx,
  config: Pick<Config, 'chains'>,
  order: OrderRow,
): Promise<Evidence | undefined> {
  const chain = chainOf(config, order.pay_method, order.pay_chain)
  if (!chain || order.receiving_address === '') return undefined
  const own = await findAddressOfOrder(db, order.id, chain.coin)
  const isOwnAddress = own?.address === order.receiving_address
  const watch = await findWatch(db, chain.coin)
  const { watchedSince, transfers } = isOwnAddress
    ? { watchedSince: own.created_at, transfers: await listTransfers(db, own.id, null, transfersMax) }
    : await readShared(db, chain, order)
  const judged: Judged = {
    due: order.amount,
    placedAt: order.created_at,
    deadline: order.pay_before,
    cancelledAt: order.status === 'cancelled' ? await findCancelledAt(db, order.id) : null,
    confirmationsNeeded: chain.confirmations,
    tip: watch?.height ?? null,
  }
  const found = transfers.map((each): Transfer => ({
    txId: each.tx_id,
    amount: each.amount,
    height: each.height,
    blockAt: each.block_at,
    firstSeenAt: each.first_seen_at,
    goneAt: each.gone_at,
    reorganisedAt: each.reorganised_at,
    changedAt: each.changed_at,
  }))
  const lookedAt = watch?.looked_at ?? null
  const withdrawal = await findWithdrawalOfOrder(db, order.id)
  const isWithdrawalOpen = withdrawal !== undefined && isOpen(withdrawal.state)
  return {
    chain,
    isOwnAddress,
    watchedSince,
    judged,
    transfers: found,
    verdict: evaluatePayment(judged, found),
    lookedAt,
    isStale: lookedAt === null || Date.now() - lookedAt.getTime() > staleAfter,
    isBeingWithdrawn: withdrawal !== undefined && isWithdrawn(withdrawal.state),
    isWithdrawalOpen,
  }
}

async function readShared(db: Tx, { coin, kind, network }: ChainSetting, order: OrderRow) {
  const target = targetOf(order.receiving_address, kind, network)
  const shared = target === undefined ? undefined : await findSharedAddress(db, coin, target)
  const watchedSince = shared?.created_at ?? null
  if (!shared || order.tx_key === '') return { watchedSince, transfers: [] }
  // The key is the hash within the entered text; Ethereum-type chains write it with `0x`.
  const txId = kind === 'ethereum' ? `0x${order.tx_key}` : order.tx_key
  return { watchedSince, transfers: await listTransfers(db, shared.id, txId, transfersMax) }
}

/** Whether only finance's confirmation is missing. */
export const isReady = (
  order: OrderRow,
  { verdict: { state }, isBeingWithdrawn }: Pick<Evidence, 'verdict' | 'isBeingWithdrawn'>,
): boolean =>
  state === 'paid' &&
  !isBeingWithdrawn &&
  order.status === 'pending' &&
  !order.is_disputed &&
  !order.is_reported_late &&
  !order.is_tx_shared

/** Returns null while the amount due is unknown, because then nothing says whether the payment is complete. */
export function presentEvidence(order: OrderRow, evidence: Evidence, address: string): ChainPayment | null {
  if (order.amount === null) return null
  const { chain, isOwnAddress, verdict, lookedAt, isStale } = evidence
  return {
    orderId: order.id,
    coin: order.pay_method,
    address,
    isOwnAddress,
    due: shortDecimal(order.amount),
    received: verdict.received,
    confirmations: verdict.confirmations,
    confirmationsNeeded: chain.confirmations,
    state: verdict.state,
    transactions: verdict.transactions,
    isReadyToComplete: isReady(order, evidence),
    lastLookedAt: lookedAt?.toISOString() ?? null,
    isStale,
    droppedAt: order.payment_dropped_at?.toISOString() ?? null,
  }
}
