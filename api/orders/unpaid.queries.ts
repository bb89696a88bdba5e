import { sql, type SqlBool } from 'kysely'

/** No dispute, no recorded payment, and no proposal to complete the order. */
export const nothingReceived = sql<SqlBool>`not token_order.is_disputed and coalesce(token_order.paid_amount, 0) = 0
  and token_order.paid_at is null and token_order.completion_proposed_by is null`

/**
 * SQL counterpart of `isUnpaid` for orders without a transaction; its first part is written exactly as in the index.
 */
export const unpaid = sql<SqlBool>`token_order.status = 'pending' and token_order.tx_id = '' and ${nothingReceived}`
