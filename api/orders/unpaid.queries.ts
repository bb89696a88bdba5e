import { sql, type SqlBool } from 'kysely'

/** No dispute, no recorded payment, and nobody who proposes to complete it. */
export const nothingReceived = sql<SqlBool>`not token_order.is_disputed and coalesce(token_order.paid_amount, 0) = 0
  and token_order.paid_at is null and token_order.completion_proposed_by is null`

/** As `isUnpaid` for orders that name no transaction, and in its first part as the index says it. */
export const unpaid = sql<SqlBool>`token_order.status = 'pending' and token_order.tx_id = '' and ${nothingReceived}`
