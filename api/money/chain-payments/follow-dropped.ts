import { MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  cancelUnconfirmed,
  dependsOnTransaction,
  dropGrace,
  recordDropped,
  recordReappeared,
} from '../orders/dropped-payment.ts'
import { unconfirmedMax } from '../orders/order-deadline.queries.ts'
import type { LockedOrder } from '../orders/report-payment.ts'
import type { OrderRow } from '../orders/order.queries.ts'
import { findNamedBy } from '../orders/order-history.queries.ts'
import { transactionKey } from '../orders/payment.rules.ts'
import type { Services } from '../../platform/services.ts'
import type { Evidence } from './read-evidence.ts'

type Needed = Pick<Services, 'keys' | 'config'>
type Locked = { order: LockedOrder; evidence: Evidence }

/** How long the chain must be polled after a report before a missing transaction is significant, in milliseconds. */
const pollTime = MINUTE

/**
 * Records that the transaction of an order disappeared or reappeared. Transactions named by finance, orders being
 * withdrawn, and payments that were once in a block are left to a person.
 */
export async function followDropped(
  db: Tx,
  services: Needed,
  { order, evidence }: Locked,
  isUnknown: boolean,
): Promise<void> {
  const { transfers, verdict } = evidence
  const named = transfers.filter(({ txId }) => transactionKey(txId) === order.tx_key)
  if (order.payment_dropped_at !== null) {
    const isBack = named.some(
      ({ goneAt, height }) => goneAt === null && (order.status !== 'cancelled' || height !== null),
    )
    if (isBack) await recordReappeared(db, services, order)
    return
  }
  if (isStuck(order, evidence)) {
    if (await isNamedByOwner(db, order)) await cancelUnconfirmed(db, services, order)
    return
  }
  if (verdict.counted.length > 0 || evidence.isBeingWithdrawn || !dependsOnTransaction(order)) return
  const droppedAt = named.length > 0 ? goneSince(named) : unseenSince(order, evidence, isUnknown)
  if (droppedAt === null) return
  if (await isNamedByOwner(db, order)) await recordDropped(db, services, order, droppedAt)
}

/** Transactions named by finance are left to a person. */
async function isNamedByOwner(db: Tx, order: OrderRow): Promise<boolean> {
  const namedBy = await findNamedBy(db, order.id, order.tx_key)
  return namedBy === null || namedBy === order.member_id
}

/** Whether every payment of the order is still outside a block, according to a poll after the longest wait. */
function isStuck(order: OrderRow, { verdict, isStale, isBeingWithdrawn, lookedAt }: Evidence): boolean {
  if (isStale || isBeingWithdrawn || lookedAt === null || order.pay_before === null) return false
  return (
    dependsOnTransaction(order) &&
    verdict.counted.length > 0 &&
    verdict.counted.every(({ height }) => height === null) &&
    lookedAt.getTime() > order.pay_before.getTime() + unconfirmedMax
  )
}

function goneSince(named: Evidence['transfers']): Date | null {
  const isGone = named.every(({ goneAt, reorganisedAt }) => goneAt !== null && reorganisedAt === null)
  return isGone ? new Date(Math.max(...named.map(({ goneAt }) => goneAt!.getTime()))) : null
}

/**
 * Returns since when a reported transaction has been missing; null if it isn't. On chains like Bitcoin, every payment
 * to a monitored address is seen. On chains like Ethereum, a contract may pay it unseen, so the node is asked whether
 * it knows the transaction at all.
 */
function unseenSince(order: OrderRow, evidence: Evidence, isUnknown: boolean): Date | null {
  const { reported_at: reportedAt } = order
  const { lookedAt, isStale, chain, watchedSince } = evidence
  if (reportedAt === null || lookedAt === null || isStale || !isReportOverdue(reportedAt)) return null
  if (lookedAt.getTime() < reportedAt.getTime() + pollTime) return null
  const wouldBeSeen =
    chain.kind === 'bitcoin' ? watchedSince !== null && watchedSince <= reportedAt : isUnknown
  return wouldBeSeen ? reportedAt : null
}

export const isReportOverdue = (reportedAt: Date): boolean => reportedAt.getTime() + dropGrace <= Date.now()
