import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, fromNow } from '../../platform/db/expressions.ts'
import { hasLostRightSince } from '../../people/members/approver.queries.ts'
import { holdsFor } from './order.queries.ts'
import { isMoneyOnChain, isOutdated } from './order-change.queries.ts'
import { isPaymentOpen } from './statements/returned-payment.queries.ts'

/** No dispute, no recorded payment, and no proposal to complete the order. */
const nothingReceived = sql<SqlBool>`not token_order.is_disputed and coalesce(token_order.paid_amount, 0) = 0
  and token_order.paid_at is null and token_order.completion_proposed_by is null`

/**
 * SQL counterpart of `isUnpaid` for orders without a transaction; its first part is written exactly as in the index.
 */
export const unpaid = sql<SqlBool>`token_order.status = 'pending' and token_order.tx_id = '' and ${nothingReceived}`

/** SQL counterpart of `isPayable`, written exactly as in the indexes. */
export const payable = sql<SqlBool>`not (receiving_address = '' or amount is null)`

/** How long an order is kept past its deadline while it is unknown whether it was paid. */
const unseenMax = DAY

/** Length of one poll of the chain, in milliseconds. */
const lookTime = MINUTE

/**
 * How long an order waits past its deadline for a transaction that isn't in a block, in milliseconds. Without this
 * limit, a transaction whose fee is too low would hold the price for as long as the network keeps it.
 */
export const unconfirmedMax = 72 * HOUR

/** Whether something arrived in time at an address that only this order has or had, and is confirmed or may soon be. */
const hasArrivedInTime = sql<boolean>`exists (
  select from chain_address own join chain_transfer arrived on arrived.address_id = own.id
  where own.order_id = token_order.id and arrived.gone_at is null
    and (arrived.height is not null or token_order.pay_before > ${ago(unconfirmedMax)})
    and arrived.first_seen_at >= token_order.created_at
    and least(arrived.first_seen_at, arrived.block_at) <= token_order.pay_before)`

/**
 * Whether an order with its own address may have been paid in time: something arrived in time, its chain has not been
 * polled since the deadline, or something arrived that no one has reported as its payment. The last two keep the order
 * for a day only, because they may prove nothing.
 */
const isUnseen = sql<boolean>`(${hasArrivedInTime}
  or token_order.pay_before > ${ago(unseenMax)} and exists (
  select from chain_address own left join chain_watch watch on watch.coin = own.coin
  where own.order_id = token_order.id and own.address = token_order.receiving_address
    and (coalesce(watch.looked_at < token_order.pay_before + ${lookTime / SECOND} * interval '1 second', true)
      or exists (select from chain_transfer arrived where arrived.address_id = own.id and arrived.gone_at is null))))`

/**
 * How long a statement line that doesn't name an order keeps it past its deadline, in milliseconds. One line may fit
 * many orders, and at most one of them was paid. Without this limit, all of them would keep their price until someone
 * resolves the line.
 */
const fittingMax = 7 * DAY

type Tolerance = Pick<Config, 'orderTolerance'>

/** Whether an unresolved statement line keeps an order past its deadline. */
const isKeptByLine = (tolerance: Tolerance) =>
  isPaymentOpen(tolerance, sql<SqlBool>`token_order.pay_before > ${ago(fittingMax)}`)

/**
 * Whether a withdrawal or a refund of the order is open. Then nothing is due, and finance decides what happens to the
 * order.
 */
const isWithdrawalOpen = sql<SqlBool>`exists (select from order_withdrawal open
  where open.order_id = token_order.id and open.state in ('requested', 'accepted'))`

/** What keeps every order past its deadline, whether or not a payment is known. */
const isKept = (tolerance: Tolerance) => sql<SqlBool>`(${isKeptByLine(tolerance)} or ${isWithdrawalOpen})`

/**
 * Whether an order past its deadline isn't canceled: the chain monitor hasn't seen everything yet, an unresolved
 * statement line may show the payment, or a withdrawal is open.
 */
export const isKeptOverdue = (db: Tx, tolerance: Tolerance, orderId: string): Promise<boolean> =>
  holdsFor(db, orderId, sql<SqlBool>`(${isUnseen} or ${isKept(tolerance)})`)

/**
 * Whether an order past its deadline isn't canceled, apart from the payment at hand: another one arrived in time at an
 * address that only this order has or had, an unresolved statement line may show one, or a withdrawal is open.
 */
export const isKeptWithoutPayment = (db: Tx, tolerance: Tolerance, orderId: string): Promise<boolean> =>
  holdsFor(db, orderId, sql<SqlBool>`(${hasArrivedInTime} or ${isKept(tolerance)})`)

/**
 * Whether money may have arrived for the order: an unresolved statement line may show it, or the blockchain does. An
 * email that only asks for the payment would wrongly deny it, and ask the member to pay again.
 */
const mayHaveArrived = (tolerance: Tolerance) =>
  sql<SqlBool>`(${isPaymentOpen(tolerance)} or ${isMoneyOnChain})`

export const mayMoneyHaveArrived = (db: Tx, tolerance: Tolerance, orderId: string): Promise<boolean> =>
  holdsFor(db, orderId, mayHaveArrived(tolerance))

/** The next unpaid order that has a deadline. Concurrent instances get different ones. */
const nextUnpaid = (db: Tx, without: readonly string[]) =>
  db
    .selectFrom('token_order')
    .selectAll()
    .where(unpaid)
    .where(({ not }) => not(isWithdrawalOpen))
    .$if(without.length > 0, (query) => query.where('id', 'not in', without))
    .orderBy('pay_before')
    .limit(1)
    .forUpdate()
    .skipLocked()

export const lockNextOverdue = (db: Tx, tolerance: Tolerance, without: readonly string[]) =>
  nextUnpaid(db, without)
    .where('pay_before', '<=', sql<Date>`now()`)
    .where(({ not }) => not(isUnseen))
    .where(({ not }) => not(isKeptByLine(tolerance)))
    .executeTakeFirst()

/** The next order past its deadline whose announced payment is gone. Concurrent instances get different ones. */
export const lockNextDropped = (db: Tx, tolerance: Tolerance, without: readonly string[]) =>
  db
    .selectFrom('token_order')
    .selectAll()
    .where('status', '=', 'pending')
    .where('payment_dropped_at', 'is not', null)
    .where('pay_before', '<=', sql<Date>`now()`)
    .where(nothingReceived)
    .where(({ not }) => not(isUnseen))
    .where(({ not }) => not(isKept(tolerance)))
    .$if(without.length > 0, (query) => query.where('id', 'not in', without))
    .orderBy('pay_before')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Applies the deadline again, and clears the late-report flag, which this missing payment had caused. */
export const markDropped = (
  db: Tx,
  id: string,
  { droppedAt, payBefore }: { droppedAt: Date; payBefore: Date },
) =>
  db
    .updateTable('token_order')
    .set({
      payment_dropped_at: droppedAt,
      pay_before: payBefore,
      is_reported_late: false,
      updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function clearDropped(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('token_order')
    .set({
      payment_dropped_at: null,
      updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute()
}

/** Officers who may approve now, and the maximum age of an approval in milliseconds. */
type Counting = { officers: readonly string[]; age: number }

/** Columns of a proposal: its author, its time, and the version of the order that its author saw. */
type Proposed = { by: RawBuilder<unknown>; at: RawBuilder<unknown>; seen: RawBuilder<unknown> }

/** Whether an approval is no longer valid. */
export const isApprovalExpired = ({ by, at, seen }: Proposed, { officers, age }: Counting) =>
  sql<SqlBool>`(${at} <= ${ago(age)} or ${by} <> all(${officers}::text[]) or ${hasLostRightSince(by, at)}
    or ${isOutdated(by, seen)})`

/** Locks the next order with a completion proposal that is no longer valid. */
export const lockNextExpiredProposal = (db: Tx, counting: Counting, without: readonly string[]) =>
  db
    .selectFrom('token_order')
    .selectAll()
    .where('completion_proposed_at', 'is not', null)
    .where(
      isApprovalExpired(
        {
          by: sql.ref('completion_proposed_by'),
          at: sql.ref('completion_proposed_at'),
          seen: sql.ref('completion_seen'),
        },
        counting,
      ),
    )
    .$if(without.length > 0, (query) => query.where('id', 'not in', without))
    .orderBy('created_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Locks the next order whose deadline is at most `notice` milliseconds away and whose member has had no reminder. */
export const lockNextToRemind = (
  db: Tx,
  { orderTolerance, notice }: Tolerance & { notice: number },
  without: readonly string[],
) =>
  nextUnpaid(db, without)
    .where('pay_before', '>', sql<Date>`now()`)
    .where('pay_before', '<=', fromNow(notice))
    .where('reminded_at', 'is', null)
    .where(({ not }) => not(mayHaveArrived({ orderTolerance })))
    .executeTakeFirst()

export async function markReminded(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ reminded_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Sets deadlines for unpaid orders from a release that had none, counted from now. Orders with a reported payment have
 * no deadline.
 */
export async function assignDeadlines(db: Tx, payTime: number): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ pay_before: fromNow(payTime) })
    .where(unpaid)
    .where('pay_before', 'is', null)
    .where(sql<SqlBool>`(${payable} or not exists (select from sale))`)
    .execute()
}

/** A new deadline gets its own reminder. */
export const moveDeadline = (db: Tx, id: string, payBefore: Date) =>
  db
    .updateTable('token_order')
    .set({
      pay_before: payBefore,
      reminded_at: null,
      updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Renews the deadline of an order that became unpaid again or changed its payment: at least `payTime` milliseconds from
 * now, and never earlier than before. An order that waits for an address or an amount and had no deadline gets none.
 */
export const renewDeadline = (db: Tx, id: string, payTime: number) =>
  db
    .updateTable('token_order')
    .set({
      pay_before: sql<Date | null>`case when ${payable} or pay_before is not null then greatest(pay_before, ${fromNow(payTime)}) end`,
      reminded_at: sql<Date | null>`case when pay_before >= ${fromNow(payTime)} then reminded_at end`,
      reported_at: null,
      long_wait_told_at: null,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const isOfCoin = sql<SqlBool>`(token_order.currency is null or pay_method.currency is null
  or lower(token_order.currency) = lower(pay_method.currency))`

/**
 * Locks the next order that waits for an address of its payment method, if the method now has one. Concurrent instances
 * get different orders.
 */
export const lockNextWithMethod = (db: Tx, without: readonly string[]) =>
  db
    .selectFrom('token_order')
    .selectAll('token_order')
    .where(unpaid)
    .where(({ not }) => not(isWithdrawalOpen))
    .where('token_order.receiving_address', '=', '')
    .where('amount', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('pay_method')
          .innerJoin('sale', 'sale.is_open', 'pay_method.is_open')
          .select('code')
          .whereRef('code', '=', 'token_order.pay_method')
          .where('sale.is_open', '=', true)
          // The method may have changed to another coin since; an amount must never be requested at an address of
          // another coin.
          .where(isOfCoin),
      ),
    )
    .$if(without.length > 0, (query) => query.where('token_order.id', 'not in', without))
    .orderBy('created_at')
    .limit(1)
    .forUpdate('token_order')
    .skipLocked()
    .executeTakeFirst()

/**
 * Whether finance still has to decide about what was reported: for a pending order, or late for a canceled one. Written
 * exactly as in the index.
 */
export const isReportOpen = sql<SqlBool>`(token_order.status = 'pending'
  or (token_order.status = 'cancelled' and (token_order.is_reported_late or token_order.is_disputed)))`

/** Maximum orders per email; the rest follow in the next one. */
const toldMax = 10_000

/** Locks orders, to notify staff of them. Concurrent instances get different ones. */
const untold = (db: Tx) => db.selectFrom('token_order').select('id').limit(toldMax).forUpdate().skipLocked()

/** Locks orders whose payment was reported at least `age` milliseconds ago, and that staff were not notified of. */
export const lockLongWaiting = async (db: Tx, age: number): Promise<string[]> => {
  const rows = await untold(db)
    .where(isReportOpen)
    .where('reported_at', '<=', ago(age))
    .where('long_wait_told_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export const lockNotPayable = async (db: Tx): Promise<string[]> => {
  const rows = await untold(db)
    .where(unpaid)
    .where('pay_before', 'is', null)
    .where(sql<SqlBool>`not (${payable})`)
    .where('not_payable_told_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export async function markNotified(
  db: Tx,
  ids: readonly string[],
  column: 'long_wait_told_at' | 'not_payable_told_at',
): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ [column]: sql<Date>`now()` })
    .where('id', 'in', ids)
    .execute()
}

export async function markFinanceNotified(db: Tx, orderId: string): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ finance_told_at: sql<Date>`now()` })
    .where('id', '=', orderId)
    .execute()
}

/**
 * Adds the duration of maintenance to the deadlines that were running when it began, because members could report no
 * payment. Returns the number of orders.
 */
export async function extendDeadlines(db: Tx, { since, ms }: { since: Date; ms: number }): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('token_order')
    .set({
      pay_before: sql<Date>`pay_before + ${ms / SECOND} * interval '1 second'`,
      updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('status', '=', 'pending')
    .where('pay_before', '>', since)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
