import { parseDecimal } from '#contract/platform/decimal.ts'
import { txIdsMax } from '#contract/money/orders.ts'
import { auditOrder, countNamed, findRecordedAt, listNamings } from '../orders/order-history.queries.ts'
import { retryUntilTransactionDecided } from '../orders/claim-transaction.ts'
import { dispute, nameTransaction, withDeadline, type LockedOrder } from '../orders/report-payment.ts'
import { findReported, lockOrder, lockOrders, type OrderRow } from '../orders/order.queries.ts'
import {
  listOrdersWithTransaction,
  lockTransactionKeys,
  paysEach,
} from '../orders/order-transaction.queries.ts'
import { transactionKey } from '../orders/payment.rules.ts'
import { isKeptWithoutPayment } from '../orders/order-deadline.queries.ts'
import { listElsewhere } from '../chains/transfer.queries.ts'
import type { Looked } from '../chains/scan-blocks.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Services } from '../../platform/services.ts'
import { notifyFinance, notifyOwner } from '../orders/notify-owner.ts'
import { findChainPayment, flagUnexpected, saveChainPayment } from '../chains/chain-payment.queries.ts'
import { addUp, isInTime, isOlder, type Transfer } from './evaluate-payment.rules.ts'
import { followDropped, isReportOverdue } from './follow-dropped.ts'
import { readEvidence, type Evidence } from './read-evidence.ts'

type Needed = Pick<Services, 'db' | 'keys' | 'config'>

/**
 * Records what the chain shows for an order, and names the transaction that pays it. The order is locked, so that this,
 * a report, and the deadline worker see each other's changes.
 */
export async function evaluateOrder(
  services: Needed,
  orderId: string,
  coin: string,
  listUnknown?: Looked['listUnknown'],
): Promise<void> {
  const unknown = listUnknown && (await findUnknown(services, orderId, listUnknown))
  await retryUntilTransactionDecided(() =>
    transaction(services.db, async (db) => {
      const locked = await evaluateLocked(db, services, orderId, coin)
      if (!locked) return
      const named = await nameIfNew(db, services, locked)
      if (isNews(locked, named)) await announceUnexpected(db, services, locked)
      await followDropped(db, services, locked, locked.order.tx_id !== '' && locked.order.tx_id === unknown)
    }),
  )
}

/** Returns the reported transaction of the order if the node should know it by now but does not. */
async function findUnknown(
  { db }: Needed,
  orderId: string,
  listUnknown: NonNullable<Looked['listUnknown']>,
): Promise<string | undefined> {
  const order = await findReported(db, orderId)
  if (!order?.reported_at || !isReportOverdue(order.reported_at)) return undefined
  return (await listUnknown([order.tx_id]))[0]
}

type Locked = {
  order: LockedOrder
  evidence: Evidence
  /** Whether a payment was confirmed after the order was canceled, so that no one decided about it. */
  isConfirmedLate: boolean
  lastJudgedAt: Date
  /** Whether money arrived since the last evaluation that is more than expected, or that no one decided about. */
  isUnexpected: boolean
}

const unevaluated = {
  received: '0',
  confirmed: '0',
  is_gone: false,
  has_surplus: false,
  judged_at: new Date(0),
}

async function evaluateLocked(
  db: Tx,
  services: Needed,
  orderId: string,
  coin: string,
): Promise<Locked | undefined> {
  const row = await lockOrder(db, orderId)
  if (!row) return undefined
  const before = (await findChainPayment(db, orderId)) ?? unevaluated
  const evidence = await readEvidence(db, services.config, row)
  const elsewhere = await findElsewhere(db, row)
  const cameElsewhere = elsewhere !== undefined
  if (elsewhere && elsewhere.firstSeenAt >= before.judged_at)
    await announce(db, services, row, elsewhere.txId)
  // A row is always stored: orders without one are evaluated first, so one without payments would otherwise stay first
  // forever.
  if (!evidence) {
    const isGone = row.status === 'completed' && before.is_gone
    await saveChainPayment(db, orderId, { coin, state: 'awaited', received: '0', isGone, cameElsewhere })
    return undefined
  }
  const known = await sumKnown(db, row, evidence)
  const { had, has, isConfirmedLate, isUnexpected, ...flags } = compareWithBefore(row, evidence, {
    ...before,
    known,
  })
  const { state, received, confirmed } = evidence.verdict
  await saveChainPayment(db, orderId, { coin, state, received, confirmed, ...flags, cameElsewhere })
  if (has !== had)
    await auditOrder(db, null, has > had ? 'order-payment-seen' : 'order-payment-gone', orderId, {
      status: state,
    })
  const order = await withDeadline(row, () => isKeptWithoutPayment(db, services.config, orderId))
  return { order, evidence, isConfirmedLate, isUnexpected, lastJudgedAt: before.judged_at }
}

/**
 * Returns how much of what the chain shows finance knew when it recorded the amount received: the order's own
 * transaction, and what had arrived by then. A transaction that was replaced still counts, because its replacement is
 * the same payment. Null if no amount is recorded.
 */
async function sumKnown(db: Tx, order: OrderRow, { judged, transfers }: Evidence): Promise<bigint | null> {
  if (order.paid_amount === null) return null
  const recordedAt = await findRecordedAt(db, order.id)
  const isKnown = (each: Transfer): boolean =>
    transactionKey(each.txId) === order.tx_key ||
    (isInTime({ deadline: recordedAt, cancelledAt: null }, each) &&
      (each.goneAt === null || each.goneAt > recordedAt))
  return addUp(transfers.filter((each) => !isOlder(judged, each) && isKnown(each)))
}

type Before = typeof unevaluated & { known: bigint | null }

function compareWithBefore(order: OrderRow, evidence: Evidence, before: Before) {
  const { verdict } = evidence
  const [had, has] = [parseDecimal(before.received), parseDecimal(verdict.received)]
  const counted = countedFor(order)
  const isConfirmedLate = hasNewBlock(order, evidence, before.confirmed)
  const wasFlagged = before.has_surplus
  const hasSurplus =
    isMore(order, has, before.known) || isUnnamed(order, evidence, { isConfirmedLate, wasFlagged })
  const isLost = order.status === 'completed' && has < counted
  return {
    had,
    has,
    hasSurplus,
    // A payment counts as gone even if the verdict changed in between: the block is lost first, and its transactions
    // later.
    isGone: isLost && (before.is_gone || had >= counted),
    isConfirmedLate,
    isUnexpected:
      (has > had && (hasSurplus || verdict.state === 'late' || (had > 0n && isAmountUnknown(order)))) ||
      (isConfirmedLate && !wasFlagged),
  }
}

/** Whether nothing says how much the order's payment should be. */
const isAmountUnknown = ({ paid_amount, amount }: OrderRow): boolean =>
  paid_amount === null && amount === null

/** Returns the amount received as recorded, or else the amount due. */
const countedFor = ({ paid_amount, amount }: OrderRow): bigint => parseDecimal(paid_amount ?? amount ?? '0')

/**
 * Whether more is on chain than is due or recorded, or than finance knew when it recorded the amount. The recorded amount
 * may have come another way, so it doesn't cover payments that arrive later. If none of these amounts is known, only a
 * completed order's money is too much: a payment of an open order is named first, and one of a canceled order is late.
 */
function isMore(order: OrderRow, has: bigint, known: bigint | null): boolean {
  if (has === 0n) return false
  if (isAmountUnknown(order)) return order.status === 'completed'
  if (has > countedFor(order) || (known !== null && has > known)) return true
  const due = order.amount === null ? countedFor(order) : parseDecimal(order.amount)
  return order.status === 'completed' && (has > due || countedFor(order) > due)
}

/** Whether more is in a block than before. During a withdrawal, a person decides about the payment. */
const hasNewBlock = (order: OrderRow, { isWithdrawalOpen, verdict }: Evidence, before: string): boolean =>
  order.status === 'cancelled' && !isWithdrawalOpen && parseDecimal(verdict.confirmed) > parseDecimal(before)

/**
 * Whether a canceled order received a payment that no one was notified of. Only the first such payment is named and
 * flagged.
 */
const isUnnamed = (
  order: OrderRow,
  { judged, verdict }: Evidence,
  { isConfirmedLate, wasFlagged }: { isConfirmedLate: boolean; wasFlagged: boolean },
): boolean =>
  order.status === 'cancelled' &&
  order.paid_amount === null &&
  verdict.counted.some(
    (each) =>
      transactionKey(each.txId) !== order.tx_key &&
      (wasFlagged || (order.tx_id !== '' && (isConfirmedLate || !isInTime(judged, each)))),
  )

/** Returns what last arrived at an address that the order had before its payment method changed. */
const findElsewhere = async (db: Tx, order: OrderRow) =>
  (await listElsewhere(db, order.id, order.receiving_address)).find(
    (each) => !isOlder({ placedAt: order.created_at }, each),
  )

const isNewlyConfirmed = ({ isConfirmedLate, lastJudgedAt }: Locked, own: Transfer): boolean =>
  isConfirmedLate && own.height !== null && own.changedAt >= lastJudgedAt

/**
 * Returns the payment to name. The order's own transaction is named again if its report was late, but the chain shows
 * that the payment came in time, and if it was confirmed only after the order was canceled.
 */
function findToName(locked: Locked): Transfer | undefined {
  const { order, evidence } = locked
  const { isOwnAddress, verdict, transfers, judged } = evidence
  const isOwn = ({ txId }: { txId: string }) => transactionKey(txId) === order.tx_key
  const own = verdict.counted.find(isOwn)
  if (own && isNewlyConfirmed(locked, own)) return own
  if (!isOwnAddress || order.status === 'completed') return undefined
  const late = verdict.counted.find((each) => !isInTime(judged, each) && !isOwn(each))
  // A small payment in time must not hide that the rest came late.
  if (own && late && order.status === 'pending') return late
  if (own) return order.is_reported_late && isInTime(judged, own) ? own : undefined
  // The member must explain a reported transaction that the chain does not know.
  if (order.tx_id !== '' && !transfers.some(isOwn)) return undefined
  return verdict.counted.find((each) => isInTime(judged, each)) ?? verdict.counted[0]
}

/**
 * Names a payment that arrives at the order's own address, as if its member had reported it: this keeps the order from
 * being canceled as unpaid, and other orders from claiming the payment. Transactions that finance removed, or that two
 * orders name, are left to a person. Returns the payment if it was named, now or earlier.
 */
async function nameIfNew(db: Tx, services: Needed, locked: Locked): Promise<Transfer | undefined> {
  const paying = findToName(locked)
  if (!paying) return undefined
  const { order, evidence, isConfirmedLate } = locked
  const { judged } = evidence
  const named = await listNamings(db, order.id, paying.txId)
  const wasNamed = (as: string) => named.some(({ kind }) => kind === as)
  if (wasNamed('transaction_taken') || wasNamed('disputed')) return undefined
  if (await hasNoRoom(db, order, named)) return undefined
  // Two late payments must not replace each other at every poll.
  if (wasNamed('reported_late') && !isConfirmedLate && transactionKey(paying.txId) !== order.tx_key)
    return paying
  await lockTransactionKeys(db, [transactionKey(paying.txId)])
  const others = await listOrdersWithTransaction(db, paying.txId, order.id)
  if (others.length > 0) await lockOrders(db, others)
  const isShared = others.length > 0 && (await paysEach(db, paying.txId, [order.id, ...others]))
  const cameInTime = isInTime(judged, paying)
  if (others.length > 0 && !isShared) {
    await dispute(db, services, order, { txId: paying.txId, others, by: null, cameInTime })
    return paying
  }
  const naming = { txId: paying.txId, by: null, cameInTime, isShared, isConfirmedLate }
  await nameTransaction(db, services, order, naming)
  return paying
}

const hasNoRoom = async (db: Tx, { id }: OrderRow, named: readonly unknown[]): Promise<boolean> =>
  named.length === 0 && (await countNamed(db, id)) >= txIdsMax

/**
 * Whether unexpected money arrived that naming a payment told no one about. The first payment of a pending order is none,
 * even if it is too large.
 */
function isNews(
  { order, evidence, isUnexpected, lastJudgedAt }: Locked,
  named: Transfer | undefined,
): boolean {
  if (!isUnexpected) return false
  if (named === undefined && order.status !== 'pending') return true
  return evidence.verdict.counted.some(
    ({ txId, height, firstSeenAt, changedAt }) =>
      txId !== named?.txId &&
      transactionKey(txId) !== order.tx_key &&
      // A payment that had been dropped may be back.
      (firstSeenAt >= lastJudgedAt || (height === null && changedAt >= lastJudgedAt)),
  )
}

/** Flags and announces money that is more than expected, or that arrived for a closed order and can't be named. */
async function announceUnexpected(
  db: Tx,
  services: Needed,
  { order, evidence: { judged, verdict } }: Locked,
): Promise<void> {
  await flagUnexpected(db, order.id)
  const isOther = ({ txId }: { txId: string }) => transactionKey(txId) !== order.tx_key
  const arrived = verdict.counted.findLast((each) => isOther(each) || !isInTime(judged, each))
  await announce(db, services, order, arrived?.txId ?? order.tx_id)
}

/** Tells finance about unexpected money and, if the order is canceled, its member. */
async function announce(db: Tx, services: Needed, order: OrderRow, txId: string): Promise<void> {
  await notifyFinance(db, services, order, { kind: 'staff-order-unexpected', isSeen: true })
  if (order.status === 'cancelled')
    await notifyOwner(db, services, 'order-payment-seen-late', { order: { ...order, tx_id: txId } })
}
