import { sql } from 'kysely'
import { hasArrivedFor } from '../chains/transfer.queries.ts'
import type { Tx } from '../db/database.ts'
import type { OrderRow } from './order.queries.ts'
import { hasRecordedPayment } from './unpaid.ts'

/** Whether the chain shows a payment for the order, or anything at an address that only this order has. */
export const isSeenOnChain = async (
  db: Tx,
  { id, created_at }: Pick<OrderRow, 'id' | 'created_at'>,
): Promise<boolean> =>
  (await db
    .selectFrom('chain_payment')
    .select('order_id')
    .where('order_id', '=', id)
    .where('received', '>', '0')
    .where('is_gone', '=', false)
    .executeTakeFirst()) !== undefined || (await hasArrivedFor(db, id, created_at))

/** Whether finance ever recorded a payment for the order, even if it was removed later. */
const wasRecorded = async (db: Tx, orderId: string): Promise<boolean> =>
  (await db
    .selectFrom('order_step')
    .select('id')
    .where('order_id', '=', orderId)
    .where('kind', '!=', 'correction_proposed')
    .where(
      sql<boolean>`jsonb_path_exists(changes, '$[*] ? (@.field == "paidAmount" && @.after != null).after.double() ? (@ > 0)')`,
    )
    .limit(1)
    .executeTakeFirst()) !== undefined

type Paid = Pick<OrderRow, 'id' | 'created_at' | 'paid_amount' | 'paid_at'>

/** Whether money arrived for the order: recorded by finance, even if removed later, or seen on chain. */
export const hasMoney = async (db: Tx, order: Paid): Promise<boolean> =>
  hasRecordedPayment(order) || (await isSeenOnChain(db, order)) || (await wasRecorded(db, order.id))
