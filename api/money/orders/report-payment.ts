import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { type Order, txIdsMax } from '#contract/money/orders.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import {
  requireTxId,
  retryUntilTransactionDecided,
  auditRefusedClaim,
  TransactionUsed,
} from './claim-transaction.ts'
import { lockOrders, updateOrderRow, type OrderRow, type lockOrder } from './order.queries.ts'
import { listOrdersWithTransaction, lockTransactionKeys, paysEach } from './order-transaction.queries.ts'
import { lockOwnOrder } from './own-order.ts'
import { transactionKey } from './payment.rules.ts'
import type { Services } from '../../platform/services.ts'
import {
  auditOrder,
  insertOrderStep,
  listNamings,
  markDisputed,
  countNamed,
} from './order-history.queries.ts'
import { cancelUnpaid } from './close-order.ts'
import { notifyOwner, type OrderMail, notifyFinance } from './notify-owner.ts'
import { hasPaymentNow } from './order-change.queries.ts'
import { hasPaymentLine } from './statements/returned-payment.queries.ts'
import { presentOrder } from './present-order.ts'
import { isUnpaid } from './order.rules.ts'
import { isKeptOverdue } from './order-deadline.queries.ts'

const reportsPerHourMax = 20

/**
 * A report keeps a pending order from being canceled at its deadline. A report after the deadline finds the order
 * canceled, even if the worker has not processed it yet, and is flagged.
 */
export const reportPayment: Handler<typeof api.reportPayment> = async ({ params, body }, context) => {
  const { keys, caller } = context
  await requireWithinLimits(context.db, keys, [
    { key: `report payment ${caller.memberId}`, max: reportsPerHourMax, window: HOUR },
  ])
  const outcome = await retryUntilTransactionDecided(() =>
    transaction(context.db, async (db) => {
      // Both orders are always locked in the same order, so that members who claim each other's transactions can't
      // deadlock.
      const named = await listOrdersWithTransaction(db, body.txId, params.id)
      if (named.length > 0) await lockOrders(db, [params.id, ...named])
      // A report must not cancel an order that the deadline itself would leave alone.
      const order = await withDeadline(await lockOwnOrder(db, params.id, caller), () =>
        isKeptOverdue(db, context.config, params.id),
      )
      if (order.status === 'completed') throw new Refused('conflict')
      const txId = requireTxId(order, body.txId)
      // Otherwise, the same transaction could be recorded as a refund at the same time.
      await lockTransactionKeys(db, [transactionKey(txId)])
      const others =
        transactionKey(txId) === order.tx_key ? [] : await listOrdersWithTransaction(db, txId, order.id)
      const isShared = others.length > 0 && (await paysEach(db, txId, [order.id, ...others]))
      if (others.length > 0 && !isShared)
        return dispute(db, context, order, { txId, others, by: caller.memberId })
      await requireNoPayment(db, order, txId)
      return nameTransaction(db, context, order, { txId, by: caller.memberId, isShared })
    }),
  )
  // Thrown outside the transaction, so that the recorded claim is committed.
  if (outcome instanceof Refused) throw outcome
  return outcome
}

/**
 * Rejects another transaction in place of the one that paid the order. Otherwise, members could hide that their payment
 * was returned or disappeared from the chain.
 */
async function requireNoPayment(db: Tx, order: LockedOrder, txId: string): Promise<void> {
  if (order.tx_key === '' || transactionKey(txId) === order.tx_key) return
  if ((await hasPaymentNow(db, order)) || (await hasPaymentLine(db, order.id))) throw new Refused('conflict')
}

/** `by` is null if the chain monitor found the transaction. */
type Naming = {
  txId: string
  by: string | null
  cameInTime?: boolean
  /** Whether it also pays other orders of the member, each at its own address. */
  isShared?: boolean
  /** Whether it was confirmed after the order was canceled. Then finance is notified even if it resolved a late report. */
  isConfirmedLate?: boolean
}

/**
 * Records a reported transaction. A transaction is late if it was not reported by the deadline: otherwise, members
 * could report a made-up one in time to hold the price and pay when the price suits them. For a transaction seen on
 * chain, the arrival time is known. An order whose payment was reported in time stays pending, and finance decides.
 */
export async function nameTransaction(
  db: Tx,
  context: Pick<Services, 'keys' | 'config'>,
  order: LockedOrder,
  { txId, by, cameInTime = false, isShared = false, isConfirmedLate = false }: Naming,
): Promise<Order> {
  const isSame = transactionKey(txId) === order.tx_key
  const named = await listNamings(db, order.id, txId)
  const { isLate, isRaised, isCleared } = judgeReport(order, named, {
    isSame,
    cameInTime,
    isConfirmedLate,
  })
  if (isSame && !isRaised && !isCleared) return presentOrder(order)
  if (named.length === 0) await requireRoomForTransaction(db, order.id)
  if (isLate && order.isUnpaidTooLong) await cancelUnpaid(db, context, order)
  const updated = await updateOrderRow(db, order.id, {
    ...(!isSame && { txId, sharesTransaction: isShared }),
    ...((isRaised || isCleared) && { reportedLate: isRaised }),
  })
  const [kind, action] = isLate
    ? (['reported_late', 'order-reported-late'] as const)
    : (['payment_reported', 'order-payment-reported'] as const)
  await insertOrderStep(db, order.id, { kind, by, txId })
  await auditOrder(db, by, action, order.id)
  await notifyAboutReport(db, context, updated, { by, isLate, isRaised })
  return presentOrder(updated)
}

async function notifyAboutReport(
  db: Tx,
  context: Pick<Services, 'keys' | 'config'>,
  order: OrderRow,
  { by, isLate, isRaised }: { by: string | null; isLate: boolean; isRaised: boolean },
): Promise<void> {
  const mails = mailsFor(order, by)
  if (!isLate) await notifyOwner(db, context, mails.inTime, { order })
  if (!isRaised) return
  await notifyOwner(db, context, mails.late, { order })
  await notifyFinance(db, context, order, { kind: 'staff-order-late', isSeen: by === null })
}

type Namings = Awaited<ReturnType<typeof listNamings>>
/** `isRaised`: finance is notified. `isCleared`: the report was late, but before the monitor saw that it came in time. */
type Judged = { isLate: boolean; isRaised: boolean; isCleared: boolean }

/** Whether a report is late. A pending order's own transaction was reported in time. */
function judgeReport(
  { status, is_overdue, is_reported_late }: LockedOrder,
  named: Namings,
  { isSame, cameInTime, isConfirmedLate }: { isSame: boolean; cameInTime: boolean; isConfirmedLate: boolean },
): Judged {
  const isPending = status === 'pending'
  const isInTime = cameInTime || named.some((each) => each.isInTime)
  const isLate = status === 'cancelled' || (is_overdue && !isInTime && !(isSame && isPending))
  return {
    isLate,
    // What finance has resolved is not flagged again, unless the payment really arrived afterwards.
    isRaised:
      isLate && (isConfirmedLate ? !is_reported_late : !named.some(({ kind }) => kind === 'reported_late')),
    isCleared: isSame && cameInTime && isPending && is_reported_late,
  }
}

/** Members who reported nothing are told that we saw the payment. */
function mailsFor({ status }: OrderRow, by: string | null): Record<'inTime' | 'late', OrderMail> {
  if (by === null) return { inTime: 'order-payment-seen', late: 'order-payment-seen-late' }
  return {
    inTime: 'order-payment-reported',
    late: status === 'cancelled' ? 'order-reported-late' : 'order-other-transaction',
  }
}

/**
 * Records a dispute: a member or the chain monitor claimed a transaction that another order already has. Either member
 * may be the payer, so the claim is rejected but recorded, both orders wait for finance, and the order without a
 * transaction is not canceled as unpaid meanwhile. Each transaction is disputed only once per order, so finance's
 * decision stands. Returns the error for the rejected claim.
 */
export async function dispute(
  db: Tx,
  context: Pick<Services, 'keys' | 'config'>,
  order: LockedOrder,
  {
    txId,
    others,
    by,
    cameInTime = false,
  }: Omit<Naming, 'isShared' | 'isConfirmedLate'> & { others: readonly string[] },
): Promise<TransactionUsed> {
  const refused = new TransactionUsed(others)
  await auditRefusedClaim(db, by, order.id, refused)
  const named = await listNamings(db, order.id, txId)
  if (named.some(({ kind }) => kind === 'disputed')) return refused
  if (named.length === 0) await requireRoomForTransaction(db, order.id)
  if (order.isUnpaidTooLong && !cameInTime) await cancelUnpaid(db, context, order)
  for (const id of await markDisputed(db, [order.id, ...others], order.id, txId))
    await insertOrderStep(db, id, { kind: 'disputed', by, txId })
  // If the chain monitor found the transaction, the emails don't say that the member reported it.
  const [toOwner, toFinance] =
    by === null
      ? (['order-disputed-seen', 'staff-order-disputed-seen'] as const)
      : (['order-disputed', 'staff-order-disputed'] as const)
  await notifyOwner(db, context, toOwner, { order: { ...order, tx_id: txId } })
  await notifyFinance(db, context, order, { kind: toFinance, isSeen: by === null })
  return refused
}

type Row = NonNullable<Awaited<ReturnType<typeof lockOrder>>>
/**
 * A locked order. `isUnpaidTooLong` says whether it is due for cancellation because no payment was reported in time.
 */
export type LockedOrder = Row & { isUnpaidTooLong: boolean }

/** `mayWait` says whether something still keeps the order. It is asked only about orders that are due. */
export async function withDeadline(order: Row, mayWait: () => Promise<boolean>): Promise<LockedOrder> {
  const isDue = order.is_overdue && isUnpaid(order)
  return { ...order, isUnpaidTooLong: isDue && !(await mayWait()) }
}

/** Limits the transactions per order, because each additional one may become work for finance. */
async function requireRoomForTransaction(db: Tx, orderId: string): Promise<void> {
  if ((await countNamed(db, orderId)) >= txIdsMax) throw refusedField('txId', 'too_many', { max: txIdsMax })
}
