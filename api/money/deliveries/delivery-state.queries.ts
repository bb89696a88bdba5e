import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { DeliveryState, HoldReason } from '#contract/money/deliveries.ts'
import { tokenCoin } from '#contract/money/chain-payments.ts'
import type { Tx } from '../../platform/db/database.ts'

/**
 * Whether `findKycStateOfMember` finds another status than approved: none is approved, or the approved one isn't the
 * newest and there is a final rejection. Null without an application. An aggregate, which needs no sort, and for which
 * the database doesn't read the whole table.
 */
const isIdentityLost = sql<SqlBool | null>`(select not bool_or(kyc.status = 'approved'
    and (not exists (select from kyc_application refused
        where refused.member_id = kyc.member_id and refused.is_final and refused.deleted_at is null)
      or not exists (select from kyc_application newer
        where newer.member_id = kyc.member_id and newer.deleted_at is null
          and (newer.created_at, newer.id) > (kyc.created_at, kyc.id))))
  from kyc_application kyc where kyc.member_id = token_order.member_id and kyc.deleted_at is null)`

const isWithdrawalOpen = sql<SqlBool>`exists (select from order_withdrawal withdrawn
  where withdrawn.order_id = token_order.id and withdrawn.state in ('requested', 'accepted'))`

/**
 * Whether the money for the tokens of a `token_order` was sent back. After a refund of no more than its surplus, the
 * tokens are still owed. If the coins differ or the payment is unknown, it counts as a full refund.
 */
export const isRefunded = sql<SqlBool>`exists (select from order_withdrawal refund
  where refund.order_id = token_order.id and refund.state = 'refunded'
    and not coalesce(refund.refund_currency in ('', coalesce(token_order.currency, token_order.pay_method))
      and refund.refund_amount <= token_order.paid_amount - token_order.amount, false))`

/** Whether the tokens of a `token_order` are not owed, or may not be. */
export const isTakenBack = sql<SqlBool>`(${isWithdrawalOpen} or ${isRefunded})`

/** The addresses to which the delivery is or was to be paid, in lowercase. For queries on `delivery` and its `token_order`. */
export const paidAddresses = sql<string[]>`array(select lower(token_order.fab_address)
  union all select lower(former.address) from payout_item former where former.delivery_id = delivery.id)`

/**
 * Whether the treasury sent this amount to this address, and nobody has said yet what that transfer paid. Also counts
 * what is not in a block yet or was taken out of one, because it may still arrive.
 */
const isSeenOnChain = sql<SqlBool>`exists (select from chain_address receiver
  join chain_transfer transfer on transfer.address_id = receiver.id
  where receiver.coin = ${sql.lit(tokenCoin)} and lower(receiver.address) = any(${paidAddresses})
    and transfer.amount = delivery.amount and transfer.gone_at is null
    and coalesce(transfer.block_at, transfer.first_seen_at) >= token_order.created_at - interval '2 hours'
    and not exists (select from payout_item proved where proved.transfer_id = transfer.id)
    and not exists (select from payout_dismissed where payout_dismissed.transfer_id = transfer.id))`

/** What prevents a delivery, for queries on `delivery` and its `token_order`. The first reason that applies. */
export const holdReason = sql<HoldReason | null>`(case
  when delivery.held_at is not null then 'staff'
  when ${isWithdrawalOpen} then 'withdrawal_open'
  when ${isRefunded} then 'refunded'
  when exists (select from withdrawal_period period where period.order_id = token_order.id
    and period.until_at > now()) then 'withdrawal_period'
  when token_order.fab_address = '' then 'address_missing'
  when token_order.address_usable_from > now() then 'address_new'
  when ${isIdentityLost} then 'identity_expired'
  when ${isSeenOnChain} then 'seen_on_chain'
  when exists (select from member erased where erased.id = token_order.member_id
    and erased.erased_at > coalesce(delivery.released_at, '-infinity')) then 'account_erased'
  end)`

const liveItem = sql`select from payout_item live where live.delivery_id = delivery.id and live.is_live`

/** Computed from facts, so that no state is ever outdated. For queries on `delivery` and its `token_order`. */
export const deliveryState = sql<DeliveryState>`(case
  when delivery.cancelled_at is not null then 'cancelled'
  when delivery.is_in_run then case
    when exists (${liveItem} and live.confirmed_at is not null) then 'confirmed'
    when exists (${liveItem} and live.sent_at is not null) then 'sent'
    else 'in_run' end
  when delivery.due_at > now() then 'scheduled'
  when ${holdReason} is not null then 'on_hold'
  else 'due' end)`

/** Whether nothing about the delivery is final. Written as in the index `delivery_open_by_due`. */
export const isOpen = sql<SqlBool>`(delivery.cancelled_at is null and not delivery.is_in_run)`

const isPast = sql<SqlBool>`delivery.due_at <= now()`
const isUnconfirmed = sql<SqlBool>`delivery.id in (select unconfirmed.delivery_id from payout_item unconfirmed
  where unconfirmed.is_live and unconfirmed.confirmed_at is null)`

/** A condition that an index knows, so that a state is found without computing that of every delivery. */
const mayBe: Readonly<Record<DeliveryState, RawBuilder<SqlBool>>> = {
  scheduled: sql`${isOpen} and not ${isPast}`,
  due: sql`${isOpen} and ${isPast}`,
  on_hold: sql`${isOpen} and ${isPast}`,
  in_run: isUnconfirmed,
  sent: isUnconfirmed,
  confirmed: sql`delivery.is_in_run`,
  cancelled: sql`delivery.cancelled_at is not null`,
}

/** For queries on `delivery` and its `token_order`. */
export const isInState = (state: DeliveryState): RawBuilder<SqlBool> =>
  sql`(${mayBe[state]} and ${deliveryState} = ${state})`

/**
 * Deliveries that the reason prevents. Those of refunded orders are canceled, except in payout runs, which someone must
 * cancel before they are sent.
 */
export const isHeldBy = (reason: HoldReason): RawBuilder<SqlBool> =>
  sql`(${reason === 'refunded' ? isUnconfirmed : isOpen} and ${holdReason} = ${reason})`

/** The round of a `token_order`. Orders without one are of the round of everything sold before there were rounds. */
export const roundOfOrder = sql<string>`coalesce(token_order.round_id,
  (select former.id from sale_round former where former.is_former))`

/** Locks deliveries in the order of their IDs, so that no two transactions wait for each other. Lock their orders first. */
export const lockDeliveries = (db: Tx, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('delivery')
        .selectAll()
        .where('id', 'in', ids)
        .orderBy('id')
        .forUpdate('delivery')
        .execute()
