import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { transactionKey } from '../payment.rules.ts'
import { blockTimeTolerance, orderArrivals } from '../../chains/transfer.queries.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { ChainSetting } from '../../../platform/config/read-chains.ts'
import { holdsFor, type OrderRow } from '../order.queries.ts'

export type NamedOrder = {
  id: string
  reference: string
  /** The transactions that the order has or had. */
  keys: readonly string[]
  /** Its own receiving addresses, in lower case. */
  addresses: readonly string[]
  /** What finance recorded as refunded. */
  refund: { amount: string; currency: string; key: string; paidOn: Date } | null
  /** Stored debits that name the order. */
  debits: { problem: string; amount: string; currency: string; key: string; date: Date | undefined }[]
}

/**
 * Lists orders by reference, transaction, or own address, with their refund, and the debits of earlier imports that
 * name them.
 */
export async function listNamedOrders(
  db: Tx,
  { references, keys, addresses }: Record<'references' | 'keys' | 'addresses', readonly string[]>,
): Promise<NamedOrder[]> {
  if (references.length + keys.length + addresses.length === 0) return []
  const { rows } = await sql<{
    id: string
    reference: string
    keys: string[]
    addresses: string[]
    refund_amount: string | null
    refund_currency: string | null
    refund_tx_id: string | null
    paid_on: string | null
  }>`
    select token_order.id, token_order.reference,
      array(select token_order.tx_key where token_order.tx_key <> '' union select step.tx_key from order_step step
        where step.order_id = token_order.id and step.tx_key <> '' and step.kind <> 'disputed'
        union select arrived.tx_key from ${orderArrivals} arrived where arrived.order_id = token_order.id) as keys,
      array(select lower(own.address) from chain_address own where own.order_id = token_order.id) as addresses,
      refund.refund_amount::text as refund_amount,
      refund.refund_currency, refund.refund_tx_id, to_char(refund.refund_paid_on, 'YYYY-MM-DD') as paid_on
    from token_order
    left join order_withdrawal refund on refund.order_id = token_order.id and refund.state = 'refunded'
    where token_order.reference = any(${references}::text[])
      or (token_order.tx_key <> '' and token_order.tx_key = any(${keys}::text[]))
      or token_order.id = any(array(select step.order_id from order_step step
        where step.tx_key <> '' and step.tx_key = any(${keys}::text[]) and step.kind <> 'disputed'
        union select arrived.order_id from ${orderArrivals} arrived where arrived.tx_key = any(${keys}::text[])))
      or token_order.id = any(array(select own.order_id from chain_address own
        where own.order_id is not null and lower(own.address) = any(${addresses}::text[])))
    order by token_order.id`.execute(db)
  const debits = await listDebits(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, reference, keys, addresses, ...refund }) => ({
    id,
    reference,
    keys,
    addresses,
    refund: presentRefund(refund),
    debits: debits
      .filter(({ order_id }) => order_id === id)
      .map(({ tx_key: key, received_at: date, ...debit }) => ({
        ...debit,
        key: key ?? '',
        date: date ?? undefined,
      })),
  }))
}

type RefundRow = Record<'refund_amount' | 'refund_currency' | 'refund_tx_id' | 'paid_on', string | null>

const presentRefund = (row: RefundRow): NamedOrder['refund'] =>
  row.refund_amount === null
    ? null
    : {
        amount: row.refund_amount,
        currency: row.refund_currency ?? '',
        key: transactionKey(row.refund_tx_id ?? ''),
        paidOn: new Date(row.paid_on ?? 0),
      }

const listDebits = (db: Tx, orderIds: readonly string[]) =>
  db
    .selectFrom('statement_line')
    .select(['order_id', 'problem', 'amount', 'currency', 'tx_key', 'received_at'])
    .where('order_id', 'in', orderIds.length > 0 ? orderIds : [''])
    .where('problem', 'in', ['refund', 'returned'])
    .execute()

const showsReturn = sql<SqlBool>`line.problem in ('returned', 'reversal', 'outgoing')`
/** Unresolved lines that show a returned payment. */
const isOpenReturn = sql<SqlBool>`line.state = 'open' and ${showsReturn}`
/** Unresolved lines that may show a payment. */
const isOpenPayment = sql<SqlBool>`line.state = 'open' and not (${showsReturn})`

/** Dismissed lines that the order's history doesn't show, because the order got their transaction later. */
const isUnseen = sql<SqlBool>`line.state = 'dismissed' and ${showsReturn}
  and named.order_id <> all(line.noted_order_ids)`

/**
 * Whether a line that meets the condition names the order, or a transaction that the order has or had, or that arrived at
 * its own addresses. `withTransaction` is the condition for lines that name a transaction from the order's history.
 */
const hasLine = (condition: RawBuilder<SqlBool>, withTransaction = condition) => sql<SqlBool>`(
  exists (select from statement_line line where line.order_id = token_order.id and ${condition})
  or exists (select from statement_line line where line.other_order_ids <> '{}'
    and line.other_order_ids @> array[token_order.id] and ${condition})
  or exists (select from statement_line line where line.tx_key <> '' and line.tx_key = token_order.tx_key
    and ${condition})
  or exists (select from order_step named join statement_line line on line.tx_key = named.tx_key
    where named.order_id = token_order.id and named.tx_key <> '' and line.tx_key <> '' and named.kind <> 'disputed'
      and (${withTransaction}))
  or exists (select from ${orderArrivals} arrived join statement_line line on line.tx_key = arrived.tx_key
    where arrived.order_id = token_order.id and line.tx_key <> '' and ${condition}))`

/**
 * Whether an unresolved statement line shows that a payment for the order was returned. The order may get the line's
 * transaction only after the import, or after someone dismissed the line, and another transaction may have replaced it.
 */
export const isPaymentReturned = hasLine(isOpenReturn, sql<SqlBool>`${isOpenReturn} or ${isUnseen}`)

/** Null if the amount can't be read. Written exactly as in the index. */
export const amountOf = (line: 'line' | 'statement_line') => {
  const amount = sql.ref(`${line}.amount`)
  return sql`(case when ${amount} ~ '^[0-9]+([.][0-9]+)?$' then ${amount}::numeric end)`
}

/** SQL counterpart of `isOlder`: whether the line was booked, or imported, before the order was placed. */
const isBeforeOrder = sql<SqlBool>`(line.imported_at < token_order.created_at
  or coalesce(line.received_at + case when line.received_at at time zone 'UTC' = (line.received_at at time zone 'UTC')::date
    then interval '1 day' else interval '1 minute' end < token_order.created_at, false))`

/** Whether the line names an order of another member, so that it can't be assigned to this order. */
const namesOtherMember = sql<SqlBool>`exists (select from token_order named
  where (named.id = any(line.other_order_ids) or named.id = line.order_id
      and strpos(upper(regexp_replace(line.reference, '[^[:alnum:]]', '', 'g')), named.reference) > 0)
    and named.member_id <> token_order.member_id)`

type Tolerance = Pick<Config, 'orderTolerance'>

/**
 * Whether an unresolved line was paid to the address of the pending order, in its currency and about in its amount,
 * after the order was placed. If several orders share the address, such a line may fit more than one of them.
 */
const fitsLine = ({ orderTolerance }: Tolerance) => sql<SqlBool>`(token_order.status = 'pending' and exists (
  select from statement_line line
  where ${isOpenPayment} and line.address <> '' and lower(line.address) = lower(token_order.receiving_address)
    and ${amountOf('line')} between token_order.amount * (100 - ${orderTolerance}::numeric) * 0.01
      and token_order.amount * (100 + ${orderTolerance}::numeric) * 0.01
    and (token_order.currency is null or line.currency in ('', upper(token_order.currency)))
    and not ${isBeforeOrder} and not ${namesOtherMember}))`

/**
 * Whether an unresolved statement line may show a payment for the order: it names the order or its transaction, or it
 * only fits the order. A line that only fits counts only `whileFitting`.
 */
export const isPaymentOpen = (tolerance: Tolerance, whileFitting: RawBuilder<SqlBool> = sql`true`) =>
  sql<SqlBool>`(${hasLine(isOpenPayment)} or (${whileFitting} and ${fitsLine(tolerance)}))`

export const hasOpenPayment = (db: Tx, tolerance: Tolerance, orderId: string): Promise<boolean> =>
  holdsFor(db, orderId, isPaymentOpen(tolerance))

/** Whether someone dismissed a line that shows that a payment for the order was returned. */
export const hasDismissedReturn = (db: Tx, orderId: string): Promise<boolean> =>
  holdsFor(db, orderId, hasLine(sql<SqlBool>`line.state = 'dismissed' and ${showsReturn}`))

/**
 * Whether a line that the officer imported or mapped names the order. The debit of a refund says nothing about the
 * payment.
 */
export const isNamedInLineOf = (db: Tx, orderId: string, officerId: string): Promise<boolean> =>
  holdsFor(
    db,
    orderId,
    hasLine(sql<SqlBool>`line.problem <> 'refund' and ${officerId} in (line.imported_by, line.mapped_by)`),
  )

/** The condition of returned payments for a filter, which starts from the few open lines instead of from every order. */
export const isAmongReturned = sql<SqlBool>`token_order.id in (
  select line.order_id from statement_line line where ${isOpenReturn} and line.order_id is not null
  union all select unnest(line.other_order_ids) from statement_line line where ${isOpenReturn}
  union all select named.id from statement_line line join token_order named on named.tx_key = line.tx_key
    where ${isOpenReturn} and line.tx_key <> ''
  union all select named.order_id from statement_line line join order_step named on named.tx_key = line.tx_key
    where (${isOpenReturn} or ${isUnseen}) and line.tx_key <> '' and named.kind <> 'disputed'
  union all select arrived.order_id from statement_line line join ${orderArrivals} arrived on arrived.tx_key = line.tx_key
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

/** Whether a statement line recorded a payment for the order, or an unresolved one shows that it was returned. */
export const hasPaymentLine = async (db: Tx, orderId: string): Promise<boolean> =>
  (await listReturned(db, [orderId])).length > 0 ||
  (await db
    .selectFrom('statement_line')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', 'in', ['applied', 'assigned'])
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Returns which of the transactions were returned, whether or not an order names them. A line that someone dismissed
 * counts too: an order that gets its transaction must show it first.
 */
export async function listReturnedKeys(db: Tx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ tx_key: string }>`
    select distinct line.tx_key from statement_line line
    where (${isOpenReturn} or (line.state = 'dismissed' and ${showsReturn}))
      and line.tx_key <> '' and line.tx_key = any(${keys}::text[])`.execute(db)
  return rows.map(({ tx_key }) => tx_key)
}

/**
 * Whether someone has to resolve the line. A debit whose transaction no order has or had is only kept, because most are
 * payments that the project makes.
 */
export const isToResolve = sql<SqlBool>`(statement_line.problem <> 'outgoing' or exists (
  select from token_order where token_order.tx_key = statement_line.tx_key and statement_line.tx_key <> '')
  or exists (select from order_step named where named.tx_key = statement_line.tx_key
    and statement_line.tx_key <> '' and named.kind <> 'disputed'))`

export type OnChain = {
  /** Final amount that arrived at the order's address since it was placed. */
  confirmed: string
  /** Whether payments arrived there, but only before the order was placed. */
  isOlder: boolean
  /** Whether they arrived at an address that only this order has. */
  isOwn: boolean
}

/**
 * Returns what the chain monitor saw of a payment: everything that arrived at the order's own address, or what the
 * line's transaction paid to that or the shared address.
 */
export async function readOnChain(
  db: Tx,
  { coin, confirmations }: Pick<ChainSetting, 'coin' | 'confirmations'>,
  order: Pick<OrderRow, 'id' | 'created_at' | 'receiving_address'>,
  { key, target }: { key: string; target: string },
): Promise<OnChain> {
  const placedAt = order.created_at
  const earliestBlock = new Date(placedAt.getTime() - blockTimeTolerance)
  const { rows } = await sql<OnChain>`
    select coalesce(sum(amount) filter (where not is_older and height <= final_height), 0)::text as confirmed,
      coalesce(bool_and(is_older), false) as "isOlder", coalesce(bool_and(is_own), false) as "isOwn"
    from (
      select chain_transfer.amount, chain_address.order_id is not null as is_own, chain_transfer.height, chain_watch.height - ${confirmations}::int + 1 as final_height,
        chain_transfer.first_seen_at < ${placedAt}
          or coalesce(chain_transfer.block_at < ${earliestBlock}, false) as is_older
      from chain_transfer
      join chain_address on chain_address.id = chain_transfer.address_id
      left join chain_watch on chain_watch.coin = chain_address.coin
      where chain_address.coin = ${coin} and chain_transfer.gone_at is null
        and (${key} = '' or chain_transfer.tx_id in (${key}, '0x' || ${key}))
        and (chain_address.order_id = ${order.id} and chain_address.address = ${order.receiving_address}
          or chain_address.order_id is null and chain_address.target = ${target} and ${key} <> '')
    ) transfers`.execute(db)
  return rows[0]!
}
