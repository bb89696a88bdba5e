import type { Tx } from '../db/database.ts'

/** What may be told of it outside. */
export const findCompleted = (db: Tx, id: string) =>
  db
    .selectFrom('token_order')
    .select(['id', 'member_id', 'pay_method', 'amount', 'currency', 'fab_qty', 'updated_at'])
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .executeTakeFirst()
