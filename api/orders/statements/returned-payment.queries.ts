import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../../db/database.ts'

export type NamedOrder = {
  id: string
  reference: string
  tx_key: string
  paid_amount: string | null
  paid_at: Date | null
  /** Amounts that finance recorded as refunded. */
  refunds: string[]
}

/** Lists orders by reference or transaction, with what was received and refunded. */
export async function listNamedOrders(
  db: Tx,
  { references, keys }: { references: readonly string[]; keys: readonly string[] },
): Promise<NamedOrder[]> {
  if (references.length + keys.length === 0) return []
  const { rows } = await sql<NamedOrder>`
    select id, reference, tx_key, paid_amount::text as paid_amount, paid_at,
      array(select refund_amount::text from order_withdrawal
        where order_id = token_order.id and state = 'refunded' and refund_amount is not null) as refunds
    from token_order
    where reference = any(${references}::text[]) or (tx_key <> '' and tx_key = any(${keys}::text[]))
    order by id`.execute(db)
  return rows
}

/** Whether a statement shows that a payment for the order went back, and nobody has dealt with it yet. */
export const isPaymentReturned = sql<SqlBool>`token_order.id in (select order_id from statement_line
  where statement_line.state = 'open' and statement_line.problem in ('returned', 'reversal') and order_id is not null)`

/** Returns which of the orders had a payment returned. */
export const listReturned = async (db: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('token_order')
      .select('id')
      .where('id', 'in', ids.length > 0 ? ids : [''])
      .where(isPaymentReturned)
      .execute()
  ).map(({ id }) => id)
