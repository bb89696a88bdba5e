import type { Tx } from '../db/database.ts'

/** Returns the fields of a completed order that may leave the system, for example in a webhook. */
export const findCompleted = (db: Tx, id: string) =>
  db
    .selectFrom('token_order')
    .select(['id', 'member_id', 'pay_method', 'amount', 'currency', 'fab_qty', 'updated_at'])
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .executeTakeFirst()
