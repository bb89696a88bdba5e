import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Services } from '../../platform/services.ts'
import { auditOrder, hasStep, insertOrderStep } from './order-history.queries.ts'
import { cancelOverdue, cancelUnpaid } from './close-order.ts'
import { nameTransaction, type LockedOrder } from './report-payment.ts'
import {
  clearDropped,
  isKeptWithoutPayment,
  markDropped,
  mayMoneyHaveArrived,
} from './order-deadline.queries.ts'
import { notifyOwner } from './notify-owner.ts'
import type { OrderRow } from './order.queries.ts'
import { isUnpaid } from './order.rules.ts'

type Needed = Pick<Services, 'keys' | 'config'>

/**
 * How long a member can pay again after a reported payment disappeared from the network, in milliseconds. Granted once
 * per order.
 */
export const dropGrace = 2 * HOUR
/** Latest end of that grace period, in milliseconds after the deadline. */
export const dropGraceMax = DAY

/**
 * Cancels a locked order whose transaction stayed unconfirmed, unless something else keeps it. If the
 * transaction is confirmed later, it counts as reported late.
 */
export async function cancelUnconfirmed(db: Tx, services: Needed, order: OrderRow): Promise<void> {
  if (await isKeptWithoutPayment(db, services.config, order.id)) return
  await markDropped(db, order.id, { droppedAt: new Date(), payBefore: order.pay_before ?? new Date() })
  await cancelUnpaid(db, services, order, 'order-unpaid-unconfirmed')
}

/** Whether only the reported transaction keeps the order from being canceled at its deadline. */
export const dependsOnTransaction = (order: OrderRow): boolean =>
  order.tx_id !== '' && !order.is_tx_shared && isUnpaid({ ...order, tx_id: '' })

/**
 * Returns the time until which the member can pay again. Without the second limit, a payment with too low a fee would
 * hold the price for as long as the network keeps it, and the grace period would start only then.
 */
export const graceEnd = (payBefore: Date, droppedAt: Date): Date =>
  new Date(
    Math.max(
      payBefore.getTime(),
      Math.min(droppedAt.getTime() + dropGrace, payBefore.getTime() + dropGraceMax),
    ),
  )

/**
 * Applies the deadline of a locked order again because the network no longer knows its transaction. An order gets only
 * one grace period. Otherwise, members could extend the deadline without limit by reporting and replacing payments. The
 * email asks for another payment only if none may have arrived.
 */
export async function recordDropped(
  db: Tx,
  services: Needed,
  order: OrderRow,
  droppedAt: Date,
): Promise<void> {
  const deadline = order.pay_before ?? new Date()
  const isFirst = !(await hasStep(db, order.id, 'payment_dropped'))
  const payBefore = isFirst ? graceEnd(deadline, droppedAt) : deadline
  const dropped = await markDropped(db, order.id, { droppedAt, payBefore })
  await insertOrderStep(db, order.id, { kind: 'payment_dropped', by: null, txId: order.tx_id })
  await auditOrder(db, null, 'order-payment-dropped', order.id)
  if (payBefore.getTime() > Date.now()) {
    const mayBePaid = await mayMoneyHaveArrived(db, services.config, order.id)
    const mail = mayBePaid ? 'order-payment-dropped-unconfirmed' : 'order-payment-dropped'
    await notifyOwner(db, services, mail, { order: dropped })
  } else if (!(await isKeptWithoutPayment(db, services.config, order.id)))
    await cancelOverdue(db, services, dropped)
}

/** Records that the network knows the transaction again. If it pays a closed order, finance is notified. */
export async function recordReappeared(db: Tx, services: Needed, order: LockedOrder): Promise<void> {
  await clearDropped(db, order.id)
  if (order.status === 'cancelled')
    await nameTransaction(
      db,
      services,
      { ...order, payment_dropped_at: null },
      { txId: order.tx_id, by: null },
    )
}
