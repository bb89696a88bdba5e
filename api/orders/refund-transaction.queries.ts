import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { transactionKey } from './transaction-key.ts'

/** Lists the orders that were refunded by one of the transactions, each with that transaction's key. */
export async function listOrdersRefundedBy(
  db: Tx,
  keys: readonly string[],
): Promise<{ id: string; key: string }[]> {
  const { rows } = await sql<{ id: string; key: string }>`
    select order_id as id, tx_key as key
    from refund_transaction join order_withdrawal using (order_id)
    where tx_key = any(${keys}::text[])
    order by requested_at`.execute(db)
  return rows
}

/** Remembers that the transaction refunded the order, even if a correction replaces it. */
export async function insertRefundTransaction(db: Tx, orderId: string, txId: string): Promise<void> {
  await db
    .insertInto('refund_transaction')
    .values({ order_id: orderId, tx_key: transactionKey(txId) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists all recorded refunds with their transactions, including those that only an order's history has. */
export async function listRefunds(db: Tx): Promise<{ orderId: string; txId: string }[]> {
  const { rows } = await sql<{ orderId: string; txId: string }>`
    with refunded as (select order_id, refund_tx_id from order_withdrawal where refund_tx_id <> '')
    select order_id as "orderId", refund_tx_id as "txId" from refunded
    union
    select order_id, change ->> 'before'
    from refunded join order_step step using (order_id) cross join jsonb_array_elements(step.changes) change
    where step.kind = 'refunded' and change ->> 'field' = 'refundTxId'`.execute(db)
  return rows
}

/**
 * Whether the transaction is an incoming payment: an order names it, finance recorded it for one, a statement shows it,
 * or the chain shows it at an address that only one order has. Transactions that finance removed from an order and
 * lines that finance dismissed don't count.
 */
export async function isIncomingPayment(db: Tx, key: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from token_order where tx_key = ${key} and tx_key <> '')
      or exists (select from order_step step where step.tx_key = ${key} and step.tx_key <> ''
        and step.kind in ('payment_recorded', 'corrected', 'completed', 'cancelled')
        and not exists (select from order_step taken where taken.order_id = step.order_id
          and taken.tx_key = step.tx_key and taken.kind = 'transaction_taken'))
      or exists (select from statement_line line where line.tx_key = ${key} and line.tx_key <> ''
        and line.state <> 'dismissed' and line.problem not in ('returned', 'reversal', 'outgoing', 'refund'))
      or exists (select from chain_transfer transfer join chain_address own on own.id = transfer.address_id
        where own.order_id is not null and transfer.tx_id in (${key}, '0x' || ${key})) as found`.execute(db)
  return rows[0]?.found ?? false
}
