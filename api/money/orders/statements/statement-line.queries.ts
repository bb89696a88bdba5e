import { orderArrivals } from '../../chains/transfer.queries.ts'
import { sql, type Insertable, type Selectable, type SqlBool } from 'kysely'
import { type StatementMapping, statementMapping } from '#contract/money/statements.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { staffName, ago } from '../../../platform/db/expressions.ts'
import { readPage, type Page } from '../../../platform/db/read-page.ts'
import type { DB, StatementLineState } from '../../../platform/db/rows.ts'
import { Refused } from '../../../platform/refused.ts'
import type { ImportLine } from './read-lines.ts'
import { amountOf, isToResolve } from './returned-payment.queries.ts'
import { canBecome } from './stored-line.rules.ts'
import { officerNameWithAddress } from '../order-officer.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { hasRecordedAmount } from '../order.rules.ts'

export type Candidate = {
  id: string
  reference: string
  tx_key: string
  receiving_address: string
  /** Whether only this order has the address: neither the sale nor another order uses it. */
  has_own_address: boolean
  status: string
  amount: string | null
  /** The transactions that arrived at its own addresses. */
  arrived_keys: string[]
}

/** Lists the orders that statement lines may concern. */
export async function listCandidates(
  db: Tx,
  asked: { references: readonly string[]; keys: readonly string[]; addresses: readonly string[] },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select id, reference, tx_key, receiving_address, status::text as status, amount::text as amount,
      exists (select from chain_address where chain_address.order_id = token_order.id
          and chain_address.address = token_order.receiving_address)
        and not exists (select from pay_method
          where lower(pay_method.receiving_address) = lower(token_order.receiving_address)) as has_own_address,
      array(select arrived.tx_key from ${orderArrivals} arrived where arrived.order_id = token_order.id) as arrived_keys
    from token_order
    where id in (
      select id from token_order where reference = any(${asked.references}::text[])
      union select id from token_order where tx_key <> '' and tx_key = any(${asked.keys}::text[])
      union select order_id from ${orderArrivals} arrived where arrived.tx_key = any(${asked.keys}::text[])
      union select id from token_order
        where receiving_address <> '' and lower(receiving_address) = any(${asked.addresses}::text[]))`.execute(
    db,
  )
  return rows
}

export type StatementLineRow = Selectable<DB['statement_line']> & {
  order_reference: string | null
  imported_by_name: string | null
  mapped_by_name: string | null
}

/**
 * Serializes imports and the resolution of their lines, so that a line that two officers work on at the same time is
 * recorded once.
 */
export async function lockImports(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('statement import'))`.execute(db)
}

export const listKnown = (db: Tx, fingerprints: readonly string[]) =>
  db
    .selectFrom('statement_line')
    .select(['fingerprint', 'state', 'order_id', 'other_order_ids', 'file_hash', 'problem'])
    .select(['reference', 'tx_id', 'amount', 'currency', 'received_at', 'address'])
    .where('fingerprint', 'in', fingerprints.length > 0 ? fingerprints : [''])
    .execute()

export type KnownLine = Awaited<ReturnType<typeof listKnown>>[number]

export type Outcome = {
  state: 'open' | 'applied'
  problem: string
  orderId: string | null
  /** Further orders that a returned payment names. */
  otherOrderIds?: readonly string[]
  by: string
  /** Identifies the file. */
  file: string
  /** Who defined what the columns of the file mean. */
  mappedBy: string
}

/**
 * Stores the outcome of a new or open line. An open line keeps the values that it was stored with: it can only become
 * recorded, or turn out to be returned. Throws `conflict` if it can't change. The caller holds the lock of imports.
 */
export async function saveLine(db: Tx, line: ImportLine, outcome: Outcome): Promise<void> {
  const [stored] = await listKnown(db, [line.fingerprint])
  if (!stored) await insertLine(db, line, outcome)
  else if (canBecome(stored, line, outcome.state)) await updateLine(db, line.fingerprint, stored, outcome)
  else throw new Refused('conflict')
}

async function insertLine(
  db: Tx,
  line: ImportLine,
  { state, problem, orderId, otherOrderIds = [], by, file, mappedBy }: Outcome,
): Promise<void> {
  await insertLines(db, [
    {
      state,
      problem,
      order_id: orderId,
      other_order_ids: [...otherOrderIds],
      line: line.line,
      reference: line.reference,
      tx_id: line.txId,
      tx_key: line.key,
      amount: line.amount,
      currency: line.currency,
      received_at: line.date ?? null,
      sender: line.sender,
      address: line.address,
      mapped_by: mappedBy,
      fingerprint: line.fingerprint,
      file_hash: file,
      imported_by: by,
    },
  ])
}

async function updateLine(
  db: Tx,
  fingerprint: string,
  stored: KnownLine,
  { state, problem, orderId, otherOrderIds = [], mappedBy }: Outcome,
): Promise<void> {
  // A returned payment concerns every order that it names now or was matched to before, and stops each of them.
  const before = [stored.order_id ?? [], stored.other_order_ids].flat()
  const [first = null, ...others] = new Set([orderId ?? [], otherOrderIds, before].flat())
  const change =
    state === 'applied'
      ? { state, problem, order_id: orderId, mapped_by: mappedBy }
      : problem === 'returned' || problem === 'reversal'
        ? { problem, order_id: first, other_order_ids: others }
        : undefined
  if (change)
    await db.updateTable('statement_line').set(change).where('fingerprint', '=', fingerprint).execute()
}

export type InsertedLine = Insertable<DB['statement_line']>

export async function insertLines(db: Tx, lines: readonly InsertedLine[]): Promise<void> {
  await db
    .insertInto('statement_line')
    .values([...lines])
    .execute()
}

const withReference = (db: Tx) =>
  db
    .selectFrom('statement_line')
    .leftJoin('token_order', (join) =>
      join.on(
        'token_order.id',
        '=',
        // An order may name the transaction of a debit only after the debit was stored.
        sql<string>`coalesce(statement_line.order_id, (select named.id from token_order named
          where statement_line.problem = 'outgoing' and named.tx_key = statement_line.tx_key and named.tx_key <> ''
          order by named.created_at limit 1))`,
      ),
    )
    .leftJoin('member as importer', 'importer.id', 'statement_line.imported_by')
    .leftJoin('member as mapper', 'mapper.id', 'statement_line.mapped_by')
    .selectAll('statement_line')
    .select(['token_order.id as order_id', 'token_order.reference as order_reference'])
    .select(officerNameWithAddress('importer').as('imported_by_name'))
    .select(officerNameWithAddress('mapper').as('mapped_by_name'))

export const listLines = (db: Tx, state: StatementLineState, page: Page) =>
  readPage(withReference(db).where('statement_line.state', '=', state).where(isToResolve), page, {
    at: 'statement_line.imported_at',
    id: 'statement_line.id',
    direction: state === 'open' ? 'asc' : 'desc',
  })

export const lockLine = (db: Tx, id: string) =>
  db.selectFrom('statement_line').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findLine = (db: Tx, id: string): Promise<StatementLineRow | undefined> =>
  withReference(db).where('statement_line.id', '=', id).executeTakeFirst()

export const getLine = (db: Tx, id: string): Promise<StatementLineRow> =>
  withReference(db).where('statement_line.id', '=', id).executeTakeFirstOrThrow()

/** Lists the lines of this amount that the officer imported or mapped, and that no order has. */
export const listUnassignedLinesOf = (db: Tx, officerId: string, amount: string) =>
  db
    .selectFrom('statement_line')
    .selectAll()
    .where('state', 'in', ['open', 'dismissed'])
    .where(sql<SqlBool>`${amountOf('statement_line')} = ${amount}::numeric`)
    .where((eb) => eb.or([eb('imported_by', '=', officerId), eb('mapped_by', '=', officerId)]))
    .execute()

export type About = {
  /** Orders that the line was matched to. */
  orderIds: readonly string[]
  references: readonly string[]
  key: string
  address: string
}

/** Whether the line has the order's reference, or was paid to an address that only this order has or had. */
const isNamed = ({ references, address }: Pick<About, 'references' | 'address'>) => sql<boolean>`(
  token_order.reference = any(${references}::text[])
  or token_order.id = any(array(select chain_address.order_id from chain_address
    where ${address} <> '' and lower(chain_address.address) = lower(${address}))))`

/**
 * Returns an order of the member that the line was matched to, that it names, or that was paid by its transaction or to
 * its address; undefined if there is none.
 */
export const findAboutOrderOf = async (
  db: Tx,
  memberId: string,
  { orderIds, key, ...named }: About,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select id from token_order where member_id = ${memberId} and (
      id = any(${orderIds}::text[])
      or ${isNamed(named)}
      or (${key} <> '' and (tx_key = ${key} or exists (select from order_step step
        where step.order_id = token_order.id and step.tx_key = ${key} and step.tx_key <> '')
        or id in (select arrived.order_id from ${orderArrivals} arrived where arrived.tx_key = ${key}))))
    order by id limit 1`.execute(db)
  return rows[0]?.id
}

/** An order that a line concerns. `is_named`: whether the line has its reference or was paid to its own address. */
export type OrderAbout = { id: string; member_id: string; is_named: boolean }

/** Lists the orders that the line concerns, including those that it was only matched to. */
export async function listOrdersAbout(db: Tx, { orderIds, key, ...named }: About): Promise<OrderAbout[]> {
  const { rows } = await sql<OrderAbout>`
    select id, member_id, ${isNamed(named)} as is_named from token_order
    where id = any(${orderIds}::text[]) or ${isNamed(named)}
      or (${key} <> '' and (tx_key = ${key} or id = any(array(select step.order_id from order_step step
        where step.tx_key = ${key} and step.tx_key <> '' and step.kind <> 'disputed'
        union select arrived.order_id from ${orderArrivals} arrived where arrived.tx_key = ${key}))))
    order by id`.execute(db)
  return rows
}

export async function resolveLine(
  db: Tx,
  id: string,
  resolved: {
    by: string
    reason: string
    /** The orders whose history shows that the line was dismissed, or the order that it was assigned to. */
    to: { dismissedFrom: readonly string[] } | { orderId: string }
  },
): Promise<void> {
  await db
    .updateTable('statement_line')
    .set({
      resolved_by: resolved.by,
      resolved_at: sql<Date>`now()`,
      reason: resolved.reason,
      ...('orderId' in resolved.to
        ? {
            state: 'assigned',
            order_id: resolved.to.orderId,
            // The line still names the order that it was matched to.
            other_order_ids: sql<string[]>`array_remove(array_append(other_order_ids, order_id), null)`,
          }
        : {
            state: 'dismissed',
            noted_order_ids: [...resolved.to.dismissedFrom],
            dismissed_by: sql<
              string[]
            >`array_append(array_remove(dismissed_by, ${resolved.by}), ${resolved.by})`,
          }),
    })
    .where('id', '=', id)
    .execute()
}

/** Reopens a dismissed line, and keeps who dismissed it. */
export async function reopenLine(db: Tx, id: string, reason: string): Promise<void> {
  await db
    .updateTable('statement_line')
    .set({ state: 'open', resolved_by: null, resolved_at: null, reason })
    .where('id', '=', id)
    .execute()
}

type Layout = { mapping: StatementMapping; mappedBy: { name: string; at: string }; mapperId: string }

/** Returns the last mapping used for statements with this heading, and its author; undefined if there is none. */
export async function findLayout(db: Tx, id: string): Promise<Layout | undefined> {
  const row = await db
    .selectFrom('statement_layout')
    .innerJoin('member', 'member.id', 'statement_layout.saved_by')
    .select(['mapping', 'saved_at', 'saved_by', staffName('member').as('name')])
    .where('statement_layout.id', '=', id)
    .executeTakeFirst()
  const mapping = row && statementMapping.safeParse(row.mapping).data
  if (!row || !mapping) return undefined
  const mappedBy = { name: row.name ?? '', at: row.saved_at.toISOString() }
  return { mapping, mappedBy, mapperId: row.saved_by }
}

/** Stores a mapping, and returns whether it is new. Using a stored mapping unchanged doesn't change its author. */
export async function saveLayout(
  db: Tx,
  id: string,
  mapping: StatementMapping,
  by: string,
): Promise<boolean> {
  const values = { mapping: JSON.stringify(mapping), saved_by: by }
  const saved = await db
    .insertInto('statement_layout')
    .values({ id, ...values })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...values, saved_at: sql<Date>`now()` })
        .where(sql<boolean>`statement_layout.mapping is distinct from excluded.mapping`),
    )
    .returning('id')
    .executeTakeFirst()
  return saved !== undefined
}

export const findOrderRow = (db: Tx, id: string): Promise<OrderRow | undefined> =>
  db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirst()

/** Whether finance removed a payment of this amount from one of the orders, for example to move it to another order. */
export async function wasAmountRemoved(
  db: Tx,
  references: readonly string[],
  amount: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from token_order join order_step step on step.order_id = token_order.id
    where reference = any(${references}::text[]) and coalesce(paid_amount, 0) = 0 and step.kind <> 'correction_proposed'
      and jsonb_path_exists(step.changes,
        '$[*] ? (@.field == "paidAmount" && @.before != null).before.double() ? (@ == $amount)',
        jsonb_build_object('amount', ${amount}::numeric))
    limit 1`.execute(db)
  return rows.length > 0
}

export const findOrderByReference = (db: Tx, reference: string) =>
  db.selectFrom('token_order').select('id').where('reference', '=', reference).executeTakeFirst()

export const listIdsByReference = async (
  db: Tx,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (
      await db
        .selectFrom('token_order')
        .select(['id', 'reference'])
        .where('reference', 'in', references.length > 0 ? references : [''])
        .execute()
    ).map(({ id, reference }) => [reference, id]),
  )

/** Deletes old lines, including those matched to an order. */
export async function deleteOldLines(db: Tx, age: number): Promise<void> {
  await db.deleteFrom('statement_line').where('imported_at', '<', ago(age)).execute()
}

/** Runs `work` in a savepoint, so that a line that cannot be recorded leaves no trace and doesn't stop the others. */
export async function withSavepoint<T>(db: Tx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint statement_line`.execute(db)
  try {
    const done = await work()
    await sql`release savepoint statement_line`.execute(db)
    return done
  } catch (error) {
    await sql`rollback to savepoint statement_line`.execute(db)
    throw error
  }
}

/** Lists lines with one of the amounts that were recorded as payments, each with its order. */
export async function listRecordedWithAmounts(
  db: Tx,
  amounts: readonly string[],
): Promise<RecordedPayment[]> {
  const { rows } = await sql<RecordedPayment>`
    select line.order_id, token_order.reference as order_reference, line.fingerprint, line.file_hash,
      line.reference, line.tx_key, line.address, line.amount, line.currency, line.received_at
    from statement_line line join token_order on token_order.id = line.order_id
    where line.state in ('applied', 'assigned') and line.problem <> 'refund'
      and ${amountOf('line')} = any(${amounts}::text[]::numeric[])
    order by line.imported_at`.execute(db)
  return rows
}

/** Lists orders with one of the amounts as their payment, which finance entered by hand: no line shows it. */
export const listEnteredWithAmounts = (db: Tx, amounts: readonly string[]): Promise<OrderRow[]> =>
  db
    .selectFrom('token_order')
    .selectAll()
    .where(sql<SqlBool>`paid_amount > 0 and paid_amount = any(${amounts}::text[]::numeric[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('statement_line')
            .select('id')
            .whereRef('order_id', '=', 'token_order.id')
            .where('state', 'in', ['applied', 'assigned'])
            .where('problem', '!=', 'refund'),
        ),
      ),
    )
    .orderBy('created_at')
    .execute()

type RecordedPayment = {
  order_id: string
  order_reference: string
  fingerprint: string
  file_hash: string | null
  reference: string
  tx_key: string | null
  address: string
  amount: string
  currency: string
  received_at: Date | null
}

/** Shows an open line as a possible duplicate of the payment of another order. */
export const markLookalike = (db: Tx, id: string, orderId: string) =>
  db
    .updateTable('statement_line')
    .set({ problem: 'looks_imported', order_id: sql<string>`coalesce(order_id, ${orderId})` })
    .where('id', '=', id)
    .execute()

type RecordedLine = { order_id: string | null; fingerprint: string; tx_key: string | null; amount: string }

/** Lists the lines that were recorded as the payment of one of the orders. The debit of a refund isn't a payment. */
export const listRecordedLines = (db: Tx, orderIds: readonly string[]): Promise<RecordedLine[]> =>
  db
    .selectFrom('statement_line')
    .select(['order_id', 'fingerprint', 'tx_key', 'amount'])
    .where('order_id', 'in', orderIds.length > 0 ? orderIds : [''])
    .where('state', 'in', ['applied', 'assigned'])
    .where('problem', '!=', 'refund')
    .execute()

/**
 * Whether the line is a different payment from the one that the order has. A line never replaces a recorded amount: a
 * second payment, a correction, or a part of the transaction may explain the difference. If the order's payment came
 * from a statement, only the same line, or the same amount of the same transaction, is the same payment, and none is
 * after finance removed it. If finance entered the amount, a line without a transaction may always be a second payment
 * of a pending order.
 */
export function isOtherPayment(
  { fingerprint, key, amount }: ImportLine,
  order: OrderRow,
  recorded: readonly RecordedLine[],
): boolean {
  const isSameAmount = (other: string) => parseDecimal(other) === parseDecimal(amount)
  if (!hasRecordedAmount(order)) return recorded.length > 0
  if (!isSameAmount(order.paid_amount ?? '0')) return true
  if (recorded.length === 0) return key === '' && order.status === 'pending'
  return !recorded.some(
    (line) =>
      line.fingerprint === fingerprint || (key !== '' && line.tx_key === key && isSameAmount(line.amount)),
  )
}
