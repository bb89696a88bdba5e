import { sql } from 'kysely'
import type { DeliveryState, HoldReason } from '#contract/money/deliveries.ts'
import type { Tx } from '../../platform/db/database.ts'

/** The member's identity status, as `findKycStateOfMember` returns it; null without an application. */
const identityStatus = sql`(select kyc.status::text from kyc_application kyc
  where kyc.member_id = token_order.member_id and kyc.deleted_at is null
  order by kyc.status = 'approved' and not exists (select from kyc_application refused
      where refused.member_id = kyc.member_id and refused.is_final and refused.deleted_at is null) desc,
    kyc.created_at desc, kyc.id desc limit 1)`

/** The coin under which transfers of the project's own token are stored; no payment method can have this name. */
const tokenCoin = '*token'

/** A transfer of the tokens to the address, which no other delivery explains. It may have paid this one. */
const seenTransfer = sql`select from chain_address seen_at
  join chain_transfer seen on seen.address_id = seen_at.id
  where seen_at.coin = ${sql.lit(tokenCoin)} and seen_at.target = lower(token_order.fab_address)
    and seen.amount = delivery.amount and seen.gone_at is null
    and not exists (select from payout_dismissed where payout_dismissed.transfer_id = seen.id)
    and not exists (select from payout_item explained where explained.transfer_id = seen.id and explained.is_live)`

/** What prevents a delivery, for queries on `delivery` and its `token_order`. The first reason that applies. */
export const holdReason = sql<HoldReason | null>`(case
  when delivery.held_at is not null then 'staff'
  when exists (select from order_withdrawal withdrawn where withdrawn.order_id = token_order.id
    and withdrawn.state in ('requested', 'accepted')) then 'withdrawal_open'
  when exists (select from withdrawal_period period where period.order_id = token_order.id
    and period.until_at > now()) then 'withdrawal_period'
  when token_order.fab_address = '' then 'address_missing'
  when token_order.address_usable_from > now() then 'address_new'
  when ${identityStatus} <> 'approved' then 'identity_expired'
  when exists (${seenTransfer}) then 'seen_on_chain'
  when exists (select from member erased where erased.id = token_order.member_id
    and erased.erased_at > coalesce(delivery.released_at, '-infinity')) then 'account_erased'
  end)`

const liveItem = sql`select from payout_item live where live.delivery_id = delivery.id and live.is_live`

/** Computed from facts, so that no state is ever outdated. For queries on `delivery` and its `token_order`. */
export const deliveryState = sql<DeliveryState>`(case
  when delivery.cancelled_at is not null then 'cancelled'
  when exists (${liveItem} and live.confirmed_at is not null) then 'confirmed'
  when exists (${liveItem} and live.sent_at is not null) then 'sent'
  when exists (${liveItem}) then 'in_run'
  when delivery.due_at > now() then 'scheduled'
  when ${holdReason} is not null then 'on_hold'
  else 'due' end)`

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
