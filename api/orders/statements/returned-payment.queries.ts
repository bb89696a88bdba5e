import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../../db/database.ts'

export type NamedOrder = {
  id: string
  reference: string
  tx_key: string
  /** Amounts that finance recorded as refunded. */
  refunds: string[]
}

/** Lists orders by reference or transaction, with what was refunded. */
export async function listNamedOrders(
  db: Tx,
  { references, keys }: { references: readonly string[]; keys: readonly string[] },
): Promise<NamedOrder[]> {
  if (references.length + keys.length === 0) return []
  const { rows } = await sql<NamedOrder>`
    select id, reference, tx_key,
      array(select refund_amount::text from order_withdrawal
        where order_id = token_order.id and state = 'refunded' and refund_amount is not null) as refunds
    from token_order
    where reference = any(${references}::text[]) or (tx_key <> '' and tx_key = any(${keys}::text[]))
    order by id`.execute(db)
  return rows
}

/** Lines according to which a payment went back, and that no one has dealt with yet. */
const isOpenReturn = sql<SqlBool>`line.state = 'open' and line.problem in ('returned', 'reversal', 'outgoing')`

/**
 * Whether a statement shows that a payment for the order went back, and no one has dealt with it yet. An order may name
 * the transaction of a line only after its import.
 */
export const isPaymentReturned = sql<SqlBool>`token_order.id in (
  select line.order_id from statement_line line where ${isOpenReturn} and line.order_id is not null
  union all select unnest(line.other_order_ids) from statement_line line where ${isOpenReturn}
  union all select named.id from statement_line line join token_order named on named.tx_key = line.tx_key
    where ${isOpenReturn} and line.tx_key <> '')`

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

/** Returns which of the transactions went back, whether or not an order names them. */
export async function listReturnedKeys(db: Tx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ tx_key: string }>`
    select distinct line.tx_key from statement_line line
    where ${isOpenReturn} and line.tx_key <> '' and line.tx_key = any(${keys}::text[])`.execute(db)
  return rows.map(({ tx_key }) => tx_key)
}

/**
 * Whether someone has to resolve the line. A debit whose transaction no order names is only kept, because most are
 * payments that the project makes.
 */
export const isToResolve = sql<SqlBool>`(statement_line.problem <> 'outgoing' or exists (
  select from token_order where token_order.tx_key = statement_line.tx_key and statement_line.tx_key <> ''))`
