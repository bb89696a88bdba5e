import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { ConsoleStepKind, OrderFieldChange } from '#contract/money/console-orders.ts'
import { orderStepKinds, type OrderStepKind } from '#contract/money/orders.ts'
import type { Tx } from '../../platform/db/database.ts'
import { adjustDeliveries, createDeliveries } from '../deliveries/create-deliveries.ts'
import { lockOrders, waiting, type OrderRow } from './order.queries.ts'
import { ordersWithLineDismissedBy } from './order-transaction.queries.ts'
import { orderArrivals } from '../chains/transfer.queries.ts'
import { transactionKey } from './payment.rules.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { deliveryFields } from '#contract/integrations/webhook-events.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'

export type OrderStep = {
  kind: Exclude<ConsoleStepKind, 'placed'>
  /** Null if the system acted. */
  by: string | null
  reason?: string
  /** Transaction reported in this step. */
  txId?: string
  /** Changed fields, with their values before and after. */
  changes?: readonly OrderFieldChange[]
  /** Tokens that one officer completed alone in this step. */
  aloneQuantity?: string | null
}

/** Records a step of an order's history. Placing an order is recorded in the order itself. */
export async function insertOrderStep(
  db: Tx,
  orderId: string,
  { kind, by, reason = '', txId = '', changes = [], aloneQuantity = null }: OrderStep,
): Promise<void> {
  await db
    .insertInto('order_step')
    .values({
      order_id: orderId,
      kind,
      by_member_id: by,
      reason,
      tx_id: txId,
      tx_key: transactionKey(txId),
      changes: JSON.stringify(changes),
      alone_quantity: aloneQuantity,
    })
    .execute()
  // Every path that completes an order writes this step, so its event and deliveries are recorded here.
  if (kind === 'completed') {
    await recordCompleted(db, orderId)
    await createDeliveries(db, orderId)
  }
}

/** Returns the fields of a completed order that may leave the system, for example in a webhook. */
export const findCompleted = (db: Tx, id: string) =>
  db
    .selectFrom('token_order')
    .select(['id', 'member_id', 'pay_method', 'amount', 'currency', 'fab_qty', 'updated_at'])
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .executeTakeFirst()

/** Queues the webhook event for a completed order, in the transaction that completes it. */
async function recordCompleted(db: Tx, orderId: string): Promise<void> {
  const order = await findCompleted(db, orderId)
  if (!order) return
  await recordEvent(db, 'order.completed', order.id, {
    orderId: order.id,
    memberId: order.member_id,
    status: 'completed',
    payMethod: order.pay_method,
    amount: order.amount && shortDecimal(order.amount),
    currency: order.currency,
    fabQty: order.fab_qty && shortDecimal(order.fab_qty),
    completedAt: order.updated_at.toISOString(),
  })
}

type Delivered = Pick<OrderRow, 'id' | 'status' | 'member_id' | 'fab_qty' | 'updated_at'>

/**
 * Queues the webhook event if the fields of a completed order determine what is delivered, or where, and adjusts its
 * deliveries to a corrected quantity.
 */
export async function recordDeliveryChange(
  db: Tx,
  order: Delivered,
  changed: readonly string[],
): Promise<void> {
  const fields = deliveryFields.filter((field) => changed.includes(field))
  if (order.status !== 'completed' || fields.length === 0) return
  await recordEvent(db, 'order.corrected', order.id, {
    orderId: order.id,
    memberId: order.member_id,
    fields,
    fabQty: order.fab_qty && shortDecimal(order.fab_qty),
    correctedAt: order.updated_at.toISOString(),
  })
  if (fields.includes('fabQty')) await adjustDeliveries(db, order.id)
}

/** Records an action on an order in the audit log. `actorId` is null if the system acts. */
export const auditOrder = (
  db: Tx,
  actorId: string | null,
  action: AuditActionOn<'order'>,
  id: string,
  detail: {
    status?: string
    fields?: string[]
    act?: string
    changes?: string[]
    refund?: string
    refundBefore?: string
    delivery?: string
  } = {},
): Promise<void> => recordAudit(db, { actorId, action, subjectKind: 'order', subjectId: id, detail })

const shownKinds = orderStepKinds.filter((kind) => kind !== 'placed')

/** Lists the steps that the member may see, without internal notes. */
export const listOrderSteps = (db: Tx, orderId: string) =>
  db
    .selectFrom('order_step')
    .select(['at', 'reason', 'tx_id'])
    .select(sql<OrderStepKind>`kind`.as('kind'))
    .where('order_id', '=', orderId)
    .where('kind', 'in', shownKinds)
    .orderBy('id')
    .execute()

export const listStepsWithTransaction = (db: Tx, orderId: string) =>
  db
    .selectFrom('order_step')
    .select(['id', 'tx_id'])
    .where('order_id', '=', orderId)
    .where('tx_id', '!=', '')
    .execute()

export async function writeKeyOfStep(db: Tx, id: string, key: string): Promise<void> {
  await db.updateTable('order_step').set({ tx_key: key }).where('id', '=', id).execute()
}

/** Lists when and how the transaction was reported for the order, and whether that was before its deadline. */
export const listNamings = (db: Tx, orderId: string, txId: string) =>
  db
    .selectFrom('order_step')
    .innerJoin('token_order', 'token_order.id', 'order_step.order_id')
    .select('order_step.kind')
    .select(sql<boolean>`coalesce(order_step.at < token_order.pay_before, true)`.as('isInTime'))
    .where('order_id', '=', orderId)
    .where('order_step.tx_key', '=', transactionKey(txId))
    .execute()

/** Returns when a canceled order was canceled. An order entered as canceled counts from its creation. */
export async function findCancelledAt(db: Tx, orderId: string): Promise<Date> {
  const { at } = await db
    .selectFrom('token_order')
    .leftJoin('order_step', (join) =>
      join
        .onRef('order_step.order_id', '=', 'token_order.id')
        .on('kind', 'in', ['cancelled', 'unpaid', 'withdrawn']),
    )
    .select(sql<Date>`coalesce(max(order_step.at), max(token_order.created_at))`.as('at'))
    .where('token_order.id', '=', orderId)
    .executeTakeFirstOrThrow()
  return at
}

/** Matches a step that recorded the amount received. */
const isRecording = sql<SqlBool>`order_step.changes @? '$[*] ? (@.field == "paidAmount")'::jsonpath`

/** When finance last recorded the amount received for the order of the outer query; staff enter some with the order. */
export const recordedAt = sql<Date>`coalesce((select max(order_step.at) from order_step
  where order_step.order_id = token_order.id and ${isRecording} and order_step.kind <> 'correction_proposed'), token_order.created_at)`

/** Returns when finance last recorded the amount received for the order. */
export const findRecordedAt = async (db: Tx, orderId: string): Promise<Date> =>
  (
    await db
      .selectFrom('token_order')
      .select(recordedAt.as('at'))
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
  ).at

/** Whether the order has a step of this kind, made by the member if one is given. */
export const hasStep = async (
  db: Tx,
  orderId: string,
  kind: OrderStep['kind'],
  by?: string,
): Promise<boolean> =>
  (await db
    .selectFrom('order_step')
    .select('id')
    .where('order_id', '=', orderId)
    .where('kind', '=', kind)
    .$if(by !== undefined, (query) => query.where('by_member_id', '=', by!))
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Returns which of the kinds of steps the order had last. */
export const findLastOf = async (
  db: Tx,
  orderId: string,
  kinds: readonly OrderStep['kind'][],
): Promise<OrderStep['kind'] | undefined> =>
  (
    await db
      .selectFrom('order_step')
      .select('kind')
      .where('order_id', '=', orderId)
      .where('kind', 'in', kinds)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.kind

/** Whether finance was the last to enter the refund address of the order, not the member. */
export const hasAddressOfFinance = async (db: Tx, orderId: string): Promise<boolean> => {
  const last = await db
    .selectFrom('order_step')
    .select('kind')
    .where('order_id', '=', orderId)
    .where(
      sql<boolean>`(kind = 'withdrawal_requested' or changes @? '$[*] ? (@.field == "refundAddress" && @.after != null)')`,
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.kind === 'refund_opened'
}

/** Returns when the order last had a step of this kind; undefined if it had none. */
export const findLastStep = async (
  db: Tx,
  orderId: string,
  kind: OrderStep['kind'],
): Promise<Date | undefined> =>
  (
    await db
      .selectFrom('order_step')
      .select('at')
      .where('order_id', '=', orderId)
      .where('kind', '=', kind)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.at

/**
 * Whether the step is a request of the member to withdraw. While a withdrawal is open, the same step only states where
 * the refund goes, for example of a refund that finance started.
 */
const isRequestOfMember = sql<boolean>`(kind = 'withdrawal_requested' and coalesce((
  select earlier.kind in ('withdrawal_refused', 'withdrawal_closed') from order_step earlier
  where earlier.order_id = order_step.order_id and earlier.id < order_step.id and earlier.kind in ('withdrawal_requested',
    'refund_opened', 'withdrawal_accepted', 'withdrawal_refused', 'withdrawal_closed')
  order by earlier.id desc limit 1), true))`

/** Returns when the member requested the nth last withdrawal from the order; undefined if there were fewer requests. */
export const findNthLastRequest = async (db: Tx, orderId: string, n: number): Promise<Date | undefined> =>
  (
    await db
      .selectFrom('order_step')
      .select('at')
      .where('order_id', '=', orderId)
      .where(isRequestOfMember)
      .orderBy('id', 'desc')
      .offset(n - 1)
      .limit(1)
      .executeTakeFirst()
  )?.at

/** Whether someone other than the officer recorded a refund of the order, or proposed an action on its withdrawal. */
export const hasRefundStepOfOther = async (db: Tx, orderId: string, officerId: string): Promise<boolean> =>
  (await db
    .selectFrom('order_step')
    .select('id')
    .where('order_id', '=', orderId)
    .where('kind', 'in', ['refunded', 'withdrawal_proposed'])
    .where('by_member_id', 'is distinct from', officerId)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Steps that decide about an order without saying anything about its payment. */
const decidingSteps = [
  'completed',
  'cancelled',
  'deadline_extended',
  'completion_proposed',
  'completion_declined',
  'completion_lapsed',
  'correction_proposed',
  'withdrawal_proposed',
  'withdrawal_accepted',
  'withdrawal_refused',
  'withdrawal_closed',
  'refund_opened',
  'refunded',
  'deliveries_created',
  'delivery_held',
  'delivery_released',
] satisfies readonly ConsoleStepKind[]

/**
 * Whether the officer took any action on the order other than proposing or making a decision, set a part of its price or
 * payment while completing or canceling it, or dismissed a statement line with a transaction that the order has or had.
 */
export async function hasInfluencedPayment(db: Tx, orderId: string, officerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from order_step step where step.order_id = ${orderId} and step.by_member_id = ${officerId}
      and (step.kind::text <> all(${decidingSteps}::text[])
        or (step.kind in ('completed', 'cancelled') and step.changes <> '[]'))
    union all
    select from (${ordersWithLineDismissedBy(officerId, [orderId])}) dismissed
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Whether the amount, quantity, or payment method of the order changed after its member last changed the sale settings.
 */
export const isPricedSinceSetting = async (
  db: Tx,
  { id, member_id }: { id: string; member_id: string },
): Promise<boolean> =>
  (await db
    .selectFrom('order_step')
    .innerJoin('sale_setter', (join) => join.onRef('sale_setter.changed_at', '<', 'order_step.at'))
    .select('order_step.id')
    .where('sale_setter.member_id', '=', member_id)
    .where('order_id', '=', id)
    .where('kind', '!=', 'correction_proposed')
    .where(
      sql<boolean>`changes @? '$[*] ? (@.field == "amount" || @.field == "fabQty" || @.field == "payMethod")'`,
    )
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Returns which fields of the order ever had a value, including those that are empty now. */
export async function listFieldsOnceKnown(db: Tx, orderId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('order_step')
    .select(sql<string[]>`jsonb_path_query_array(changes, '$[*] ? (@.before != null).field')`.as('fields'))
    .where('order_id', '=', orderId)
    .where('kind', '!=', 'correction_proposed')
    .where(sql<boolean>`changes @? '$[*] ? (@.before != null)'`)
    .execute()
  return new Set(rows.flatMap(({ fields }) => fields))
}

/** Returns who last reported the transaction for the order; null for the system. */
export const findNamedBy = async (db: Tx, orderId: string, key: string): Promise<string | null> =>
  (
    await db
      .selectFrom('order_step')
      .select('by_member_id')
      .where('order_id', '=', orderId)
      .where('tx_key', '=', key)
      .where('kind', 'in', ['payment_reported', 'reported_late', 'transaction_shared', 'payment_recorded'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.by_member_id ?? null

/** Number of different transactions reported for the order. */
export async function countNamed(db: Tx, orderId: string): Promise<number> {
  const { count } = await db
    .selectFrom('order_step')
    .select(({ fn }) => fn.count<string>('tx_key').distinct().as('count'))
    .where('order_id', '=', orderId)
    .where('tx_key', '!=', '')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Marks as disputed the orders that name the transaction and the closed orders that named it. A pending order from
 * which finance removed the transaction stays unmarked: finance has decided, and otherwise each new claim would end the
 * order's deadline and proposal. Returns the orders whose history gets the step: those in `always`, and pending ones
 * that were not marked yet. Claims by others don't change the history of a completed order.
 */
export async function markDisputed(
  db: Tx,
  asked: readonly string[],
  always: string,
  txId = '',
): Promise<string[]> {
  const key = transactionKey(txId)
  const rows = (await lockOrders(db, asked)).filter(
    ({ id, status, tx_key }) => id === always || status !== 'pending' || tx_key === key,
  )
  const ids = rows.map(({ id }) => id)
  await db
    .updateTable('token_order')
    .set({
      is_disputed: true,
      ...waiting,
      updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('id', 'in', ids)
    .execute()
  return rows
    .filter(({ id, status, is_disputed }) => id === always || (status === 'pending' && !is_disputed))
    .map(({ id }) => id)
}

const carriedKeys = (orderId: RawBuilder<unknown>) => sql`
  select named.tx_key from order_step named where named.order_id = ${orderId} and named.tx_key <> ''
  union select arrived.tx_key from ${orderArrivals} arrived where arrived.order_id = ${orderId}`

/**
 * Whether the member has an order for which a transaction of this order, or the one with the key, was reported, or at
 * whose own addresses it arrived.
 */
export const sharesTransaction = (
  memberId: RawBuilder<unknown>,
  orderId: RawBuilder<unknown>,
  key = sql<string>`''`,
) => sql<boolean>`exists (
  select from token_order of_member cross join lateral (${carriedKeys(sql.ref('of_member.id'))}) own
  where of_member.member_id = ${memberId} and (own.tx_key = ${key} or own.tx_key in (${carriedKeys(orderId)})))`

/** Whether the member has an order for which `txId`, or any transaction reported for this order, was reported. */
export async function sharesWithOrderOf(
  db: Tx,
  memberId: string,
  orderId: string,
  txId: string,
): Promise<boolean> {
  const shares = sharesTransaction(sql`${memberId}`, sql`${orderId}`, sql`${transactionKey(txId)}`)
  const { rows } = await sql<{ shares: boolean }>`select ${shares} as shares`.execute(db)
  return rows[0]!.shares
}
