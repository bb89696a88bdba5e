import { sql, type SqlBool } from 'kysely'
import type { LeftToPerson } from '../../chains/chain-payment.queries.ts'
import type { Tx } from '../../db/database.ts'
import { isPaymentReturned } from '../statements/returned-payment.queries.ts'
import { isAtWithdrawnAddress } from '../../sale/withdrawn-address.queries.ts'
import { isAtWithdrawnPrice } from '../../sale/withdrawn-price.queries.ts'

/* Conditions that the lists of orders use, based on what the chain monitor recorded. */

export const isReadyToComplete = sql<SqlBool>`token_order.id in (select order_id from chain_payment where state = 'paid')
  and token_order.status = 'pending' and not token_order.is_disputed and not token_order.is_reported_late
  and not token_order.is_tx_shared and not exists (select from order_withdrawal
    where order_withdrawal.order_id = token_order.id and order_withdrawal.state in ('requested', 'accepted', 'refunded'))`

/** True until the payment is back on chain, or finance recorded that it is missing. */
export const isPaymentGone = sql<SqlBool>`exists (
  select from chain_payment gone where gone.order_id = token_order.id and gone.is_gone
    and gone.received < coalesce(token_order.paid_amount, token_order.amount))`

/** Excludes payments that finance recorded, and payments to a former address of an order that still awaits payment. */
export const isPaymentUnexpected = sql<SqlBool>`exists (
  select from chain_payment beyond where beyond.order_id = token_order.id
    and (beyond.has_surplus or beyond.came_elsewhere)
    and (beyond.has_surplus and token_order.status <> 'pending'
        and (token_order.paid_amount is null or beyond.received > token_order.paid_amount)
      or beyond.came_elsewhere and (token_order.status = 'pending' or token_order.paid_amount is null)))`

/** Whether the system left the paid order to a person for this reason. */
export const isLeftToPerson = (cause: LeftToPerson) => sql<SqlBool>`(token_order.status = 'pending'
  and token_order.id in (select order_id from chain_payment where state = 'paid' and left_to_person = ${cause}))`

/** The same conditions as columns for each listed order. */
export const chainFlags = [
  sql<boolean>`(${isReadyToComplete})`.as('is_ready'),
  sql<boolean>`(${isPaymentGone})`.as('is_gone'),
  sql<boolean>`(${isPaymentUnexpected})`.as('is_unexpected'),
  sql<boolean>`(${isAtWithdrawnPrice})`.as('is_price_withdrawn'),
  sql<boolean>`(${isAtWithdrawnAddress})`.as('is_address_withdrawn'),
  sql<boolean>`(${isPaymentReturned})`.as('is_returned'),
  sql<boolean>`(${isLeftToPerson('new_price')})`.as('is_new_price'),
  sql<boolean>`(${isLeftToPerson('program_limit')})`.as('is_program_limit'),
] as const

export const findChainFlags = (db: Tx, orderId: string) =>
  db.selectFrom('token_order').select(chainFlags).where('id', '=', orderId).executeTakeFirstOrThrow()
