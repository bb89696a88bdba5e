import { sql, type SqlBool, type RawBuilder } from 'kysely'
import type { ConsoleStepKind } from '#contract/money/console-orders.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { hasArrived } from '../chains/transfer.queries.ts'
import { holdsFor, type OrderRow } from './order.queries.ts'
import { hasRecordedPayment } from './order.rules.ts'
import { findChainPayment, type LeftToPerson } from '../chains/chain-payment.queries.ts'
import { hasOpenPayment, isPaymentReturned } from './statements/returned-payment.queries.ts'
import { isAtWithdrawnAddress } from '../sale/withdrawn-address.queries.ts'
import { isAtWithdrawnPrice } from '../sale/withdrawn-price.queries.ts'
import { ago } from '../../platform/db/expressions.ts'
import { recordedAt, sharesTransaction } from './order-history.queries.ts'
import { ordersWithLineDismissedBy } from './order-transaction.queries.ts'

/**
 * Returns the amount that the chain shows as an exact, timely, and final payment, regardless of who claims it for the
 * order, and when it was last confirmed; undefined if there is none.
 */
export async function findPaidOnChain(
  db: Tx,
  orderId: string,
): Promise<{ received: string; confirmedAt: Date | null } | undefined> {
  const [seen] = await listSeen(db, [orderId])
  return seen && { received: seen.received, confirmedAt: seen.confirmed_at }
}

/** Amounts that the chain shows as paid for an order; undefined if it shows none. */
type OnChain = {
  /** Exact, timely, and final payment, regardless of who claims it for the order. */
  seen: string | undefined
  /**
   * Payment that needs no reason: evidence, or a transaction at a shared address that the member reported and no other
   * order claims.
   */
  proven: string | undefined
  /**
   * Payment that proves what to deliver: it arrived at an address that only this order ever had, no other order claims
   * its transaction, and no staff member set or changed the amount due, the quantity, the payment method, or the
   * destination.
   */
  evidence: string | undefined
}

export async function findOnChain(db: Tx, orderId: string): Promise<OnChain> {
  const [seen] = await listSeen(db, [orderId])
  const isUndoubted = seen !== undefined && seen.is_alone && seen.is_as_quoted
  const isProven = isUndoubted && (seen.is_at_own_address || seen.is_reported_by_member)
  return {
    seen: seen?.received,
    proven: isProven ? seen.received : undefined,
    evidence: isUndoubted && seen.is_at_own_address ? seen.received : undefined,
  }
}

/** Lists the orders whose payment on chain is evidence, each with its amount. */
export async function listChainEvidence(
  db: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const evidence = (await listSeen(db, orderIds)).filter(
    ({ is_alone, is_as_quoted, is_at_own_address }) => is_alone && is_as_quoted && is_at_own_address,
  )
  return new Map(evidence.map(({ order_id, received }) => [order_id, received]))
}

type Seen = {
  order_id: string
  received: string
  confirmed_at: Date | null
  /** It arrived at an address that only this order ever had. */
  is_at_own_address: boolean
  /** No other order has, had, or claimed its transactions, and finance removed none of them. */
  is_alone: boolean
  /**
   * The order is still as its member placed it, with a quote. A correction that doesn't list its changes may have
   * changed anything.
   */
  is_as_quoted: boolean
  is_reported_by_member: boolean
}

/** Source of the payments of an order that disappeared from the chain, as `gone`. */
const goneTransfersOf = (order: 'token_order' | 'o') => {
  const [id, placedAt, key] = ['id', 'created_at', 'tx_key'].map((column) => sql.ref(`${order}.${column}`))
  return sql`chain_transfer gone join chain_address at on at.id = gone.address_id
    where gone.gone_at is not null and gone.first_seen_at >= ${placedAt} and (at.order_id = ${id}
      or (at.order_id is null and ${key} <> '' and ${key} = regexp_replace(gone.tx_id, '^0x', '')))`
}

async function listSeen(db: Tx, orderIds: readonly string[]): Promise<Seen[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<Seen>`
    with paid as (
      select o.id, o.member_id, o.rate, o.tx_key, o.is_tx_shared, o.is_disputed, p.received,
        p.coin, own.id as address_id,
        own.id is not null
          and not exists (select from token_order other where other.id <> o.id and other.receiving_address <> ''
            and lower(other.receiving_address) = lower(o.receiving_address))
          and not exists (select from pay_method
            where lower(pay_method.receiving_address) = lower(o.receiving_address)) as is_at_own_address
      from chain_payment p join token_order o on o.id = p.order_id
        left join chain_address own
          on own.order_id = o.id and own.coin = p.coin and own.address = o.receiving_address
      where p.order_id = any(${orderIds}) and p.state = 'paid' and not p.is_gone
        and not exists (select from ${goneTransfersOf('o')} and gone.gone_at > p.judged_at)),
    carried as (
      select id, tx_key from paid where tx_key <> ''
      union
      select paid.id, regexp_replace(t.tx_id, '^0x', '') from paid
        join chain_transfer t on t.address_id = paid.address_id and t.gone_at is null)
    select paid.id as order_id, paid.received, paid.is_at_own_address,
      case when paid.address_id is not null
        then (select max(t.block_at) from chain_transfer t where t.address_id = paid.address_id and t.gone_at is null)
        else (select max(t.block_at) from chain_transfer t
          where t.coin = paid.coin and t.tx_id in (paid.tx_key, '0x' || paid.tx_key) and t.gone_at is null)
        end as confirmed_at,
      not paid.is_tx_shared and not paid.is_disputed
        and not exists (select from carried
          where carried.id = paid.id and (
            exists (select from token_order other
              where other.tx_key = carried.tx_key and other.tx_key <> '' and other.id <> paid.id)
            or exists (select from order_step step
              where step.tx_key = carried.tx_key and step.tx_key <> ''
                and (step.order_id <> paid.id or step.kind in ('disputed', 'transaction_taken')))))
        and not exists (select from chain_transfer t
          join chain_transfer beside on beside.coin = t.coin and beside.tx_id = t.tx_id
          join chain_address elsewhere on elsewhere.id = beside.address_id
          where t.address_id = paid.address_id and t.gone_at is null and elsewhere.order_id <> paid.id) as is_alone,
      paid.rate is not null
        and not exists (select from order_step step
          where step.order_id = paid.id and (step.changes @? ${setByStaff}::jsonpath
            or (step.kind = 'corrected' and step.changes = '[]'))) as is_as_quoted,
      paid.tx_key <> '' and exists (select from order_step step
        where step.order_id = paid.id and step.tx_key = paid.tx_key and step.by_member_id = paid.member_id
          and step.kind in ('payment_reported', 'reported_late')) as is_reported_by_member
    from paid`.execute(db)
  return rows
}

const setByStaff = `$[*] ? (${[
  'amount',
  'fabQty',
  'payMethod',
  'receivingAddress',
  'fabAddress',
  'ethAddress',
  'btcAddress',
]
  .map((field) => `@.field == "${field}"`)
  .join(' || ')})`

/**
 * Whether the chain no longer shows the payment that finance recorded for the order: its block was replaced, or its
 * transaction disappeared and less than the recorded amount is left, or the order hasn't been evaluated since.
 */
export const isOffChain = sql<SqlBool>`(token_order.paid_amount > 0 and exists (
  select from chain_payment seen where seen.order_id = token_order.id and (seen.state = 'reorganised'
    or exists (select from ${goneTransfersOf('token_order')}
      and (seen.received < token_order.paid_amount or gone.gone_at > seen.judged_at)))))`

export const hasLeftChain = (db: Tx, orderId: string): Promise<boolean> => holdsFor(db, orderId, isOffChain)

/** Whether the chain shows a payment for the order, or anything at an address that only this order has. */
export const isMoneyOnChain = sql<SqlBool>`(exists (
  select from chain_payment seen where seen.order_id = token_order.id and seen.received > 0 and not seen.is_gone)
  or ${hasArrived})`

export const isSeenOnChain = (db: Tx, { id }: Pick<OrderRow, 'id'>): Promise<boolean> =>
  holdsFor(db, id, isMoneyOnChain)

/**
 * Whether finance recorded a payment for the order and then removed it: it was moved, or never arrived. Recording 0
 * instead removes it, too. Otherwise, one person could make a paid order look like one for which nothing ever arrived.
 */
export const isPaymentRemoved = sql<boolean>`(coalesce(token_order.paid_amount, 0) = 0 and exists (
  select from order_step step where step.order_id = token_order.id and step.kind <> 'correction_proposed'
    and jsonb_path_exists(step.changes,
      '$[*] ? (@.field == "paidAmount" && @.after != null).after.double() ? (@ > 0)')))`

const wasPaymentRemoved = (db: Tx, orderId: string): Promise<boolean> =>
  holdsFor(db, orderId, isPaymentRemoved)

/** Matches a recorded payment that was removed or lowered. */
const reducedPayment = `$[*] ? (@.field == "paidAmount" && @.before.double() > 0
  && (@.after == null || @.after.double() < @.before.double()))`

/** Matches a recorded payment that was removed. */
const removedPayment = `$[*] ? (@.field == "paidAmount" && @.before.double() > 0
  && (@.after == null || @.after.double() == 0))`

/** Whether finance ever removed or lowered a payment that was recorded for the order, even if it was restored. */
export const wasPaymentReduced = async (db: Tx, orderId: string): Promise<boolean> =>
  (await db
    .selectFrom('order_step')
    .select('id')
    .where('order_id', '=', orderId)
    .where('kind', '!=', 'correction_proposed')
    .where(sql<boolean>`changes @? ${reducedPayment}::jsonpath`)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Whether anyone declined to complete the order, or removed its payment: no one completes it without a person. */
export const isLeftByPeople = async (db: Tx, orderId: string): Promise<boolean> =>
  (await db
    .selectFrom('order_step')
    .select('id')
    .where('order_id', '=', orderId)
    .where('kind', '!=', 'correction_proposed')
    .where(sql<boolean>`(kind = 'completion_declined' or changes @? ${removedPayment}::jsonpath)`)
    .limit(1)
    .executeTakeFirst()) !== undefined

type Paid = Pick<OrderRow, 'id' | 'created_at' | 'paid_amount' | 'paid_at'>

/**
 * Whether a payment is recorded for the order or seen on chain. Doesn't include what arrived at an address of another
 * payment method: the order can get that method back.
 */
export async function hasPaymentNow(db: Tx, order: Paid): Promise<boolean> {
  if (hasRecordedPayment(order)) return true
  const seen = await findChainPayment(db, order.id)
  return seen !== undefined && !seen.is_gone && Number(seen.received) > 0
}

/**
 * Whether money was received for the order and is still its own: finance recorded it and didn't remove it, or the chain
 * shows it. Everything that promises a refund or is based on received money uses this definition.
 */
export const hasMoney = async (db: Tx, order: Paid): Promise<boolean> =>
  (await isMoneyRecorded(db, order)) || (await isSeenOnChain(db, order))

/** Whether finance recorded a payment of the order and didn't remove it. */
export async function isMoneyRecorded(db: Tx, order: Paid): Promise<boolean> {
  // For a gift, 0 is recorded, possibly with a date.
  if (order.paid_amount !== null) return Number(order.paid_amount) > 0
  // A date counts only if no amount was ever known: one that is left from a removed payment is not another payment.
  return hasRecordedPayment(order) && !(await wasPaymentRemoved(db, order.id))
}

/**
 * Whether money may have been received for the order: an unresolved statement line may show it, or finance removed a
 * recorded payment. This promises nothing, but one person must not end the order as if it was never paid.
 */
export const mayHaveMoney = async (
  db: Tx,
  config: Pick<Config, 'orderTolerance'>,
  order: Paid,
): Promise<boolean> =>
  (await hasMoney(db, order)) ||
  (await hasOpenPayment(db, config, order.id)) ||
  (await wasPaymentRemoved(db, order.id))

/* Conditions that the lists of orders use, based on what the chain monitor recorded. */

export const isReadyToComplete = sql<SqlBool>`token_order.id in (select order_id from chain_payment where state = 'paid')
  and token_order.status = 'pending' and not token_order.is_disputed and not token_order.is_reported_late
  and not token_order.is_tx_shared and not exists (select from order_withdrawal
    where order_withdrawal.order_id = token_order.id and order_withdrawal.state in ('requested', 'accepted', 'refunded'))`

/** True until the payment is back on chain, or finance recorded that it is missing. */
export const isPaymentGone = sql<SqlBool>`exists (
  select from chain_payment gone where gone.order_id = token_order.id and gone.is_gone
    and gone.received < coalesce(token_order.paid_amount, token_order.amount))`

/**
 * Whether finance recorded or noted something about the payment, with a reason, after the order was closed and the last
 * transfer arrived at a former address of the order. Completing the order says nothing about that money, and neither
 * does recording another payment before.
 */
const isElsewhereSettled = sql<SqlBool>`exists (
  select from order_step noted where noted.order_id = token_order.id and noted.kind = 'payment_recorded'
    and noted.reason <> '' and noted.at > (
      select max(came.first_seen_at) from chain_transfer came join chain_address former on former.id = came.address_id
      where former.order_id = token_order.id and former.address <> token_order.receiving_address
        and came.gone_at is null)
    and not exists (select from order_step closed where closed.order_id = token_order.id and closed.id > noted.id
      and closed.kind in ('completed', 'cancelled', 'unpaid', 'withdrawn')))`

/** Like `isSameCurrency`, ignores case and punctuation. A symbol alone, such as `€`, counts as no currency. */
const spelled = (column: string) => sql`lower(regexp_replace(${sql.ref(column)}, '[^[:alnum:]]', '', 'g'))`

/** Whether a refund is in another coin than the order, so that the amounts can't be compared. */
const isOtherCoin = (refund: string) =>
  sql<SqlBool>`${spelled(`${refund}.refund_currency`)} not in ('', ${spelled('token_order.currency')})`

/**
 * Whether finance recorded more money after the refund, and the refund still doesn't cover everything. For a completed
 * order, finance may have refunded only a part before; that part counts as covered. A refund in another coin covers more
 * once it is larger, or in yet another coin: a person compares the amounts.
 */
const isUncovered = (refund: string) => sql<SqlBool>`(${sql.ref(`${refund}.is_paid_again`)}
  and token_order.paid_amount > ${sql.ref(`${refund}.covered_payment`)}
  and case when ${isOtherCoin(refund)}
    then ${spelled(`${refund}.refund_currency`)} = ${spelled(`${refund}.covering_currency`)}
      and ${sql.ref(`${refund}.refund_amount`)} <= ${sql.ref(`${refund}.covering_refund`)}
    else ${sql.ref(`${refund}.refund_amount`)} < token_order.paid_amount
      - case when token_order.status = 'completed'
          and ${spelled(`${refund}.covering_currency`)} in ('', ${spelled('token_order.currency')})
        then greatest(${sql.ref(`${refund}.covered_payment`)} - ${sql.ref(`${refund}.covering_refund`)}, 0)
        else 0 end
    end)`

/**
 * Whether the refund of a completed order covers its surplus. An earlier refund says nothing about money that arrived
 * later, unless it was corrected to cover everything.
 */
const isSurplusRefunded = sql<SqlBool>`exists (
  select from order_withdrawal refund where refund.order_id = token_order.id and refund.state = 'refunded'
    and (${isOtherCoin('refund')} and not ${isUncovered('refund')}
      or not ${isOtherCoin('refund')} and (refund.refund_amount >= token_order.paid_amount
        or refund.refund_amount >= token_order.paid_amount - token_order.amount
          and not exists (select from chain_transfer later join chain_address own on own.id = later.address_id
            where own.order_id = token_order.id and later.gone_at is null and later.first_seen_at > refund.refunded_at))))`

/** Whether a payment arrived after finance recorded the amount, which therefore doesn't cover it. */
const cameAfterRecording = sql<SqlBool>`exists (
  select from chain_address own join chain_transfer later on later.address_id = own.id
  where own.order_id = token_order.id and own.address = token_order.receiving_address and later.gone_at is null
    and regexp_replace(later.tx_id, '^0x', '') <> token_order.tx_key
    and least(later.first_seen_at, later.block_at) > ${recordedAt})`

/**
 * Excludes payments that finance recorded. Recording a surplus of a completed order doesn't settle it: it remains until
 * the payment is refunded, or the amount due is corrected. Payments to a former address remain until finance gives a
 * reason: no recorded amount covers them, because they may be in another coin.
 */
const isUnexpectedOnChain = sql<SqlBool>`exists (
  select from chain_payment beyond where beyond.order_id = token_order.id
    and (beyond.has_surplus and (token_order.status <> 'pending' or token_order.paid_amount is not null)
        and (token_order.paid_amount is null or beyond.received > token_order.paid_amount or ${cameAfterRecording}
          or (token_order.status = 'completed' and token_order.paid_amount > token_order.amount
            and not ${isSurplusRefunded}))
      or beyond.came_elsewhere and (token_order.status = 'pending' or not ${isElsewhereSettled})))`

const isPaidAgain = sql<SqlBool>`exists (
  select from order_withdrawal again where again.order_id = token_order.id and ${isUncovered('again')})`

/** Whether money of the order awaits finance. The first condition finds the few orders with the indexes. */
export const isPaymentUnexpected = sql<SqlBool>`(token_order.id in (
    select order_id from chain_payment where has_surplus or came_elsewhere
    union all select order_id from order_withdrawal where is_paid_again)
  and (${isUnexpectedOnChain} or ${isPaidAgain}))`

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

type Sized = Pick<OrderRow, 'id' | 'fab_qty'>

/**
 * Returns the largest quantity that the order ever had, which determines whether four-eyes approval applies: lowering
 * the quantity must not remove the second approval. Null if the quantity is unknown now.
 */
export const largestQuantity = async (db: Tx, order: Sized): Promise<string | null> =>
  (await listLargestQuantities(db, [order])).get(order.id) ?? null

/** Returns the largest quantities of several orders, keyed by order ID. */
export async function listLargestQuantities(
  db: Tx,
  orders: readonly Sized[],
): Promise<Map<string, string | null>> {
  const known = new Map((await listFormerQuantities(db, orders)).map(({ id, quantity }) => [id, quantity]))
  return new Map(orders.map(({ id, fab_qty }) => [id, fab_qty && largerOf(fab_qty, known.get(id))]))
}

const largerOf = (now: string, before: string | null | undefined): string =>
  before && parseDecimal(before) > parseDecimal(now) ? before : now

/** Lists the quantities in the history of the orders. A correction that was only proposed never took effect. */
const listFormerQuantities = async (db: Tx, orders: readonly Sized[]) =>
  orders.length === 0
    ? []
    : db
        .selectFrom('order_step')
        .innerJoinLateral(
          sql<{ value: unknown }>`jsonb_array_elements(order_step.changes)`.as<'change'>(sql`change (value)`),
          (join) => join.onTrue(),
        )
        .select('order_step.order_id as id')
        .select(
          sql<
            string | null
          >`max(greatest((change.value ->> 'before')::numeric, (change.value ->> 'after')::numeric))::text`.as(
            'quantity',
          ),
        )
        .where(
          'order_step.order_id',
          'in',
          orders.map(({ id }) => id),
        )
        .where('order_step.kind', '!=', 'correction_proposed')
        .where(sql<boolean>`change.value ->> 'field' = 'fabQty'`)
        .groupBy('order_step.order_id')
        .execute()

/** Steps after which an officer may still complete the order alone. */
const harmlessSteps = [
  'payment_reported',
  'payment_recorded',
  'reported_late',
  'transaction_shared',
  'disputed',
  'corrected',
  'deadline_extended',
  'payable',
  'completion_proposed',
  'completion_declined',
  'completion_lapsed',
  'correction_proposed',
  'withdrawal_refused',
] satisfies readonly ConsoleStepKind[]

const isPrice = '(@.field == "fabQty" || @.field == "amount" || @.field == "payMethod")'
/** Matches a first value, a new email address or date of receipt, a resolved flag, and a larger amount received. */
const isHarmlessChange = `(@.field == "email" || @.field == "paidAt" || @.field == "disputed" || @.field == "reportedLate"
  || (@.field == "paidAmount" && @.after != null && (@.before == null || @.after.double() >= @.before.double()))
  || (${isPrice} && @.before == null))`
/** Matches a token address, which the member can give again. */
const changedAddress = '$[*] ? (@.field == "fabAddress")'
/** Matches every change that isn't harmless, apart from a token address. */
const changedOther = `$[*] ? (@.field != "fabAddress" && !${isHarmlessChange})`
/** Matches a part of the price, even a first value. */
const givenPrice = `$[*] ? ${isPrice}`
/** Matches a part of the price that was cleared, so that the next value would look like the first one. */
const clearedPrice = `$[*] ? (${isPrice} && @.before != null && @.after == null)`

/**
 * Returns the orders that the officer must not complete alone: those to which they did anything but record the payment,
 * set values that were unknown, resolve flags, or extend the deadline. A token address that the member gave afterwards
 * is the member's own. A first value of the price counts only if no rate can show that the payment covers it, or if
 * someone cleared the value before. Dismissing a statement line counts for every order that has or had its transaction.
 * Also returns orders whose completion a colleague declined, and orders whose recorded payment anyone removed, because
 * it may have been returned.
 */
export async function listChangedBy(
  db: Tx,
  officerId: string | null,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (officerId === null || orderIds.length === 0) return new Set()
  const { rows } = await sql<{ order_id: string }>`
    select distinct step.order_id from order_step step
    where step.order_id = any(${orderIds}) and step.kind <> 'correction_proposed'
      and (step.changes @? ${removedPayment}::jsonpath
        or (step.kind = 'completion_declined' and step.by_member_id <> ${officerId})
        or step.by_member_id = ${officerId}
          and (step.kind::text <> all(${harmlessSteps}::text[])
            or step.changes @? ${changedOther}::jsonpath
            or (step.changes @? ${givenPrice}::jsonpath
              and ((not exists (select from pay_method) and exists (select from token_order priced
                  where priced.id = step.order_id and priced.rate is null))
                or exists (select from order_step cleared
                  where cleared.order_id = step.order_id and cleared.changes @? ${clearedPrice}::jsonpath)))
            or (step.changes @? ${changedAddress}::jsonpath
              and not exists (select from order_step given
                where given.order_id = step.order_id and given.id > step.id and given.kind in ('address_given', 'address_changed')))))
    union
    ${ordersWithLineDismissedBy(officerId, orderIds)}`.execute(db)
  return new Set(rows.map(({ order_id }) => order_id))
}

/**
 * Locks the officer, or the system if null, until the transaction ends, so that concurrent completions are counted one
 * after the other.
 */
export async function lockOfficer(db: Tx, memberId: string | null): Promise<void> {
  const who = memberId ?? 'the program'
  await sql`select pg_advisory_xact_lock(hashtextextended(${`completes alone ${who}`}, 0))`.execute(db)
}

/**
 * Returns how many tokens the officer completed alone within 24 hours without a payment on chain. If the ID is null,
 * returns how many the system completed.
 */
export async function sumCompletedAlone(db: Tx, memberId: string | null): Promise<string> {
  const { sum } = await db
    .selectFrom('order_step')
    .select(sql<string>`coalesce(sum(alone_quantity), 0)::text`.as('sum'))
    .where('by_member_id', 'is not distinct from', memberId)
    .where('alone_quantity', 'is not', null)
    .where('at', '>', ago(DAY))
    .executeTakeFirstOrThrow()
  return sum
}

/**
 * Version of an order as staff see it. Each change of the order, of what the chain shows as received for it, of its
 * withdrawal or refund, or of whether an unresolved statement line shows that its payment was returned, gives another
 * one. A proposed decision is none of these, so the order can have one on its withdrawal and one on itself.
 */
const version = sql<string>`(select concat_ws(' ', extract(epoch from token_order.updated_at),
  trim_scale(coalesce(max(seen.received), 0)), coalesce(bool_or(seen.is_gone or seen.state = 'reorganised'), false),
  (select concat_ws(' ', decided.state, extract(epoch from decided.decided_at), extract(epoch from decided.refunded_at))
    from order_withdrawal decided where decided.order_id = token_order.id),
  case when ${isPaymentReturned} then 'returned' end)
  from chain_payment seen where seen.order_id = token_order.id)`

/**
 * Whether a proposal about an order is no longer what its author would decide on: the order changed since, or the author
 * has an interest in it, because it shares a transaction with an order of theirs.
 */
export const isOutdated = (by: RawBuilder<unknown>, seen: RawBuilder<unknown>) =>
  sql<boolean>`(${seen} is distinct from ${version} or token_order.member_id = ${by}
    or ${sharesTransaction(by, sql.ref('token_order.id'))})`

/** Stores with the completion proposal of a locked order what its author sees. */
export async function recordSeenByProposer(db: Tx, orderId: string): Promise<void> {
  await db.updateTable('token_order').set({ completion_seen: version }).where('id', '=', orderId).execute()
}

/** Stores the same with the proposed decision on the withdrawal from a locked order. */
export async function recordSeenByWithdrawalProposer(db: Tx, orderId: string): Promise<void> {
  await db
    .updateTable('order_withdrawal')
    .from('token_order')
    .set({ proposal_seen: version })
    .whereRef('token_order.id', '=', 'order_withdrawal.order_id')
    .where('token_order.id', '=', orderId)
    .execute()
}

type AsSeen = { id: string; by: string; seen: string | null }

/** Whether the order is still as the author of a proposal saw it, and none that concerns the author. */
export const isAsProposed = async (db: Tx, { id, by, seen }: AsSeen): Promise<boolean> =>
  (await db
    .selectFrom('token_order')
    .select('id')
    .where('id', '=', id)
    .where(({ not }) => not(isOutdated(sql`${by}::text`, sql`${seen}::text`)))
    .executeTakeFirst()) !== undefined
