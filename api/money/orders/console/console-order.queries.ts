import { orderArrivals } from '../../chains/transfer.queries.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { reportWaitMax, type OrderFilters, type OrderFlag } from '#contract/money/console-orders.ts'
import { decimalPattern } from '#contract/platform/fields.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { beginningOf, digitsIn, withoutTicker } from '../../../platform/text/order-reference.ts'
import { narrowed } from '../../../platform/db/read-list.ts'
import { paginate, type Page } from '../../../platform/db/read-page.ts'
import { ago, endOfUtcDay, staffName, startOfUtcDay } from '../../../platform/db/expressions.ts'
import type { OrderRow } from '../order.queries.ts'
import { isAtWithdrawnAddress } from '../../sale/withdrawn-address.queries.ts'
import { isAtWithdrawnPrice } from '../../sale/withdrawn-price.queries.ts'
import { isAmongReturned } from '../statements/returned-payment.queries.ts'
import { transactionKey } from '../payment.rules.ts'
import {
  chainFlags,
  isLeftToPerson,
  isPaymentGone,
  isPaymentUnexpected,
  isReadyToComplete,
} from '../order-change.queries.ts'
import { isReportOpen } from '../order-deadline.queries.ts'
import { officerEmail, officerName, officerNameWithAddress } from '../order-officer.queries.ts'

const isTime = (text: string): boolean => {
  const time = new Date(/^[12]\d{3}-/.test(text) ? text : Number.NaN)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

type Sorted = Pick<OrderRow, 'created_at' | 'amount' | 'pay_before'>

/** Sort keys of the lists, written exactly as in the indexes: without nulls, so that a page can start at any row. */
const orders = {
  placed: {
    column: sql`token_order.created_at`,
    type: sql`timestamptz`,
    keyOf: ({ created_at }: Sorted) => created_at.toISOString(),
    isKey: isTime,
  },
  amount: {
    column: sql`coalesce(token_order.amount, -1)`,
    type: sql`numeric`,
    keyOf: ({ amount }: Sorted) => amount ?? '-1',
    isKey: (text: string) => text === '-1' || decimalPattern.test(text),
  },
  deadline: {
    column: sql`coalesce(token_order.pay_before, 'infinity')`,
    type: sql`timestamptz`,
    keyOf: ({ pay_before }: Sorted) => pay_before?.toISOString() ?? 'infinity',
    isKey: (text: string) => text === 'infinity' || isTime(text),
  },
} as const

const isNotPayable = sql<SqlBool>`token_order.status = 'pending' and token_order.tx_id = ''
  and token_order.pay_before is null
  and (token_order.receiving_address = '' or token_order.amount is null)`

const isProposed = sql<SqlBool>`token_order.completion_proposed_at is not null`

/** Orders that the staff member can act on: neither their own nor awaiting approval of their own proposal. */
export const isOrderWaitingFor = (memberId: string) =>
  sql<SqlBool>`token_order.member_id <> ${memberId} and token_order.completion_proposed_by is distinct from ${memberId}`

/** Written exactly as in the partial indexes. */
export const orderFlagConditions: Record<OrderFlag, RawBuilder<SqlBool>> = {
  payment_reported: sql`token_order.status = 'pending' and token_order.tx_id <> ''`,
  reported_late: sql`token_order.is_reported_late`,
  disputed: sql`token_order.is_disputed`,
  shares_transaction: sql`token_order.is_tx_shared`,
  second_person: isProposed,
  waits_long: sql`${isReportOpen} and token_order.reported_at <= ${ago(reportWaitMax)}`,
  not_payable: isNotPayable,
  ready_to_complete: isReadyToComplete,
  payment_gone: isPaymentGone,
  payment_unexpected: isPaymentUnexpected,
  price_withdrawn: isAtWithdrawnPrice,
  address_withdrawn: isAtWithdrawnAddress,
  payment_returned: isAmongReturned,
  new_price: isLeftToPerson('new_price'),
  program_limit: isLeftToPerson('program_limit'),
}

/** Selects the address in a subquery on the rows of the page; a join would read it for every matching order. */
const selected = (db: Tx) =>
  db
    .selectFrom('token_order')
    .selectAll('token_order')
    .select(
      sql<string>`(select member.email from member where member.id = token_order.member_id)`.as(
        'member_email',
      ),
    )
    .select(
      sql<
        string | null
      >`(select ${staffName('assignee')} from member assignee where assignee.id = token_order.assignee_id)`.as(
        'assignee_name',
      ),
    )
    .select(chainFlags)

export type ListedOrder = Awaited<ReturnType<typeof listConsoleOrderRows>>['rows'][number]

/** Lists orders of any member, for staff. The filter for proposed completions leaves out the reader's own orders. */
export function listConsoleOrderRows(db: Tx, readerId: string, filter: OrderFilters, page: Page) {
  const { sort = '-placed' } = filter
  const isDescending = sort.startsWith('-')
  const { column, type, keyOf, isKey } = orders[sort.replace('-', '') as keyof typeof orders]
  const direction = isDescending ? 'desc' : 'asc'
  const beyond = isDescending ? sql`<` : sql`>`
  const cursor = readCursor(page.after, isKey)
  const query = narrowed(selected(db), filter, {
    q: (rows, q) => rows.where(sql<SqlBool>`token_order.id = any(array(${found(q)}))`),
    status: (rows, status) => rows.where('token_order.status', '=', status),
    flag: (rows, flag) => {
      const flagged = rows.where(orderFlagConditions[flag])
      return flag === 'second_person' ? flagged.where('token_order.member_id', '!=', readerId) : flagged
    },
    ids: (rows, ids) => rows.where('token_order.id', 'in', ids.split(',')),
    assignee: (rows, assignee) =>
      assignee === 'me'
        ? rows.where('token_order.assignee_id', '=', readerId)
        : rows.where('token_order.assignee_id', 'is', null),
    waitingFor: (rows) => rows.where(isOrderWaitingFor(readerId)),
    coin: (rows, coin) =>
      rows.where(sql<SqlBool>`lower(coalesce(token_order.currency, pay_method)) = lower(${coin})`),
    from: (rows, from) => rows.where('token_order.created_at', '>=', startOfUtcDay(from)),
    to: (rows, to) => rows.where('token_order.created_at', '<', endOfUtcDay(to)),
    min: (rows, min) => rows.where(sql<SqlBool>`coalesce(token_order.amount, -1) >= ${min}::numeric`),
    max: (rows, max) =>
      rows.where(sql<SqlBool>`coalesce(token_order.amount, -1) between 0 and ${max}::numeric`),
  })
    .$if(cursor !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(${column}, token_order.id) ${beyond} (${cursor!.key}::${type}, ${cursor!.id})`,
      ),
    )
    .orderBy(column, direction)
    .orderBy('token_order.id', direction)
  return paginate(query, page.limit, (row) => writeCursor(keyOf(row), row.id))
}

/**
 * Finds orders by any identifier. Each one has its own index, and the IDs are passed as an array so that each is
 * fetched by key: for a short prefix of a reference, the planner would overestimate the matches and scan the table. A
 * transaction finds every order it was ever reported for, even if the claim was rejected.
 */
function found(q: string): RawBuilder<string> {
  const beginning = beginningOf(q) ?? mistypedBeginning(q)
  const key = transactionKey(q)
  const ways = [
    sql`select o.id from token_order o join member m on m.id = o.member_id where m.email = ${q.toLowerCase()}`,
    ...(isAddress(q) ? waysByWallet(q.trim().toLowerCase()) : []),
    ...(beginning ? [sql`select o.id from token_order o where o.reference like ${`${beginning}%`}`] : []),
    ...(key
      ? [
          sql`select o.id from token_order o where o.tx_key <> '' and o.tx_key = ${key}`,
          sql`select s.order_id from order_step s where s.tx_key <> '' and s.tx_key = ${key}`,
          sql`select a.order_id from ${orderArrivals} a where a.tx_key = ${key}`,
        ]
      : []),
  ]
  return sql`${sql.join(ways, sql` union `)}`
}

/** One word that is longer than a reference. */
const isAddress = (q: string): boolean => /^[\w-]{20,}$/.test(q.trim())

/** The addresses of the member in an order: for the tokens, of the order's coins, and for the refund. */
const waysByWallet = (address: string): RawBuilder<unknown>[] => [
  sql`select o.id from token_order o where o.fab_address <> '' and lower(o.fab_address) = ${address}`,
  sql`select o.id from token_order o where lower(o.eth_address) = ${address}`,
  sql`select o.id from token_order o where o.btc_address <> '' and lower(o.btc_address) = ${address}`,
  sql`select w.order_id from order_withdrawal w
    where w.refund_address <> '' and lower(w.refund_address) = ${address}`,
]

/** Also reads letters that look like digits as such. A word without any digit is more likely a name. */
function mistypedBeginning(q: string): string | undefined {
  const text = withoutTicker(q)
  return /\d/.test(text) ? digitsIn(text.replaceAll('O', '0').replaceAll(/[IL]/g, '1')) : undefined
}

const writeCursor = (key: string, id: string): string =>
  Buffer.from(JSON.stringify([key, id])).toString('base64url')

/** Decodes a cursor. One that is invalid or belongs to another sort order starts at the beginning. */
function readCursor(
  text: string | undefined,
  isKey: (key: string) => boolean,
): { key: string; id: string } | undefined {
  if (!text) return undefined
  try {
    const given: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    const [key, id] = Array.isArray(given) ? (given as unknown[]) : []
    const isCursor = typeof key === 'string' && isKey(key) && typeof id === 'string' && !id.includes('\0')
    return isCursor ? { key, id } : undefined
  } catch {
    return undefined
  }
}

/**
 * Identifies the actor by email address: members can choose any display name, but accounting needs to know who acted.
 */
const stepOf = (isOne: RawBuilder<SqlBool>) =>
  sql`select order_step.id, order_step.at, order_step.kind, by_member_id, ${officerEmail('by_member')} as name
    from order_step left join member by_member on by_member.id = order_step.by_member_id
    where order_step.order_id = token_order.id and ${isOne}
    order by order_step.id desc limit 1`

const completion = stepOf(sql`order_step.kind = 'completed'`)
const cancellation = stepOf(sql`order_step.kind in ('cancelled', 'unpaid', 'withdrawn')`)
/**
 * The last step before the completion that could have led to it, if it is another officer's proposal. Every other step
 * ends a proposal.
 */
const beforeCompletion = stepOf(
  sql`order_step.id < completed.id and order_step.kind not in ('transaction_shared', 'transaction_taken')`,
)

export type Ends = {
  completed_at: Date | null
  completed_by: string | null
  proposed_by: string | null
  cancelled_at: Date | null
}

/** Returns when the orders were closed, and by whom. */
export async function listEndsOfOrders(db: Tx, ids: readonly string[]): Promise<Map<string, Ends>> {
  const { rows } = await sql<Ends & { id: string }>`
    select token_order.id, completed.at as completed_at, completed.name as completed_by,
      proposed.name as proposed_by, cancelled.at as cancelled_at
    from token_order
    left join lateral (${completion}) completed on true
    left join lateral (${beforeCompletion}) proposed
      on proposed.kind = 'completion_proposed' and proposed.by_member_id <> completed.by_member_id
    left join lateral (${cancellation}) cancelled on true
    where token_order.id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, ...ends }) => [id, ends]))
}

/** Lists every step with its actor. Owners never see the addresses of staff, even if they are staff themselves. */
export const listAllStepsOfOrder = (db: Tx, orderId: string, { isForOwner }: { isForOwner: boolean }) =>
  db
    .selectFrom('order_step')
    .leftJoin('member', 'member.id', 'order_step.by_member_id')
    .select(['order_step.kind', 'order_step.at', 'order_step.reason', 'order_step.tx_id'])
    .select(['order_step.by_member_id', 'order_step.changes'])
    .select((isForOwner ? officerName : officerNameWithAddress)('member').as('by_name'))
    .where('order_id', '=', orderId)
    .orderBy('order_step.id')
    .execute()

/** Lists the other orders for which a transaction of this one was reported, or that it also paid, oldest first. */
export const listOrdersOfSameTransaction = (db: Tx, orderId: string, limit: number) =>
  db
    .selectFrom('token_order')
    .select(['id', 'reference', 'status'])
    .where('id', '!=', orderId)
    .where(
      sql<SqlBool>`id in (
        with keys as (
          select tx_key from order_step where order_id = ${orderId} and tx_key <> ''
          union select tx_key from token_order where id = ${orderId} and tx_key <> ''
          union select tx_key from ${orderArrivals} arrived where order_id = ${orderId})
        select order_id from order_step where tx_key <> '' and tx_key in (select tx_key from keys)
        union
        select o.id from token_order o where o.tx_key <> '' and o.tx_key in (select tx_key from keys)
        union
        select order_id from ${orderArrivals} arrived where tx_key in (select tx_key from keys))`,
    )
    .orderBy('created_at')
    .limit(limit)
    .execute()

export const findNamesOfMember = (db: Tx, id: string) =>
  db
    .selectFrom('member')
    .select(['id', 'email', 'display_name', 'first_name', 'last_name'])
    .select(officerNameWithAddress('member').as('staff_name'))
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * Returns totals by UTC day, status, coin, and payment method. The payment method gives the coin if nothing else does.
 */
export async function listOrderTotals(db: Tx, from: string, to: string) {
  const { rows } = await sql<{
    day: string
    status: 'pending' | 'completed' | 'cancelled'
    currency: string | null
    pay_method: string
    count: string
    amount: string | null
    quantity: string | null
  }>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, status, currency, pay_method,
      count(*) as count, sum(amount) as amount, sum(fab_qty) as quantity
    from token_order where created_at >= ${startOfUtcDay(from)} and created_at < ${endOfUtcDay(to)}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db)
  return rows
}

/** Returns the totals of all orders of a member, like `listOrderTotals`. */
export const listTotalsOfMember = (db: Tx, memberId: string) =>
  db
    .selectFrom('token_order')
    .select(['status', 'currency', 'pay_method'])
    .select(({ fn }) => [
      fn.countAll<string>().as('count'),
      fn.sum<string | null>('amount').as('amount'),
      fn.sum<string | null>('paid_amount').as('received'),
      fn.sum<string | null>('fab_qty').as('quantity'),
    ])
    .where('member_id', '=', memberId)
    .groupBy(['status', 'currency', 'pay_method'])
    .orderBy('status')
    .orderBy('currency')
    .orderBy('pay_method')
    .execute()
