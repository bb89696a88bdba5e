import { txIdsMax } from '#contract/orders.ts'
import type { Tx } from '../db/database.ts'
import { refusedField } from '../refused.ts'
import type { lockOrder } from './order.queries.ts'
import { countNamed } from './order-step.queries.ts'
import { isUnpaid } from './unpaid.ts'

type Row = NonNullable<Awaited<ReturnType<typeof lockOrder>>>
/**
 * A locked order. `isUnpaidTooLong` says whether it is due for cancellation because no payment was reported in time.
 */
export type LockedOrder = Row & { isUnpaidTooLong: boolean }

export const withDeadline = (order: Row): LockedOrder => ({
  ...order,
  isUnpaidTooLong: order.is_overdue && isUnpaid(order),
})

/** Limits the transactions per order, because each additional one may become work for finance. */
export async function requireRoomForTransaction(db: Tx, orderId: string): Promise<void> {
  if ((await countNamed(db, orderId)) >= txIdsMax) throw refusedField('txId', 'too_many', { max: txIdsMax })
}
