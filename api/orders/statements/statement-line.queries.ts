import { sql, type Selectable } from 'kysely'
import type { StatementMapping } from '#contract/statements.ts'
import { statementMapping } from '#contract/statements.ts'
import type { Tx } from '../../db/database.ts'
import { readPage, type Page } from '../../db/read-page.ts'
import { ago } from '../../db/time.ts'
import type { DB, StatementLineState } from '../../db/rows.ts'
import type { ImportLine } from './read-lines.ts'

export type Candidate = {
  id: string
  reference: string
  tx_key: string
  receiving_address: string
  status: string
  amount: string | null
}

/** Orders that lines of a statement may be about. */
export async function listCandidates(
  db: Tx,
  asked: { references: readonly string[]; keys: readonly string[]; addresses: readonly string[] },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select id, reference, tx_key, receiving_address, status::text as status, amount::text as amount from token_order
    where id in (
      select id from token_order where reference = any(${asked.references}::text[])
      union select id from token_order where tx_key <> '' and tx_key = any(${asked.keys}::text[])
      union select id from token_order
        where receiving_address <> '' and lower(receiving_address) = any(${asked.addresses}::text[]))`.execute(
    db,
  )
  return rows
}

export type StatementLineRow = Selectable<DB['statement_line']> & { order_reference: string | null }

/** Imports are carried out one after the other, so that two officers with one file record it once. */
export async function lockImports(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('statement import'))`.execute(db)
}

export const listKnown = (db: Tx, fingerprints: readonly string[]) =>
  db
    .selectFrom('statement_line')
    .select(['fingerprint', 'state', 'order_id'])
    .where('fingerprint', 'in', fingerprints.length > 0 ? fingerprints : [''])
    .execute()

export type Outcome = { state: StatementLineState; problem: string; orderId: string | null; by: string }

/** Writes what became of a line. One that was resolved before stays so. */
export async function saveLine(db: Tx, line: ImportLine, outcome: Outcome): Promise<void> {
  const values = {
    state: outcome.state,
    problem: outcome.problem,
    order_id: outcome.orderId,
    line: line.line,
    reference: line.reference,
    tx_id: line.txId,
    amount: line.amount,
    currency: line.currency,
    received_at: line.date ?? null,
    sender: line.sender,
    address: line.address,
  }
  await db
    .insertInto('statement_line')
    .values({ ...values, fingerprint: line.fingerprint, imported_by: outcome.by })
    .onConflict((conflict) =>
      conflict.column('fingerprint').doUpdateSet(values).where('statement_line.state', '=', 'open'),
    )
    .execute()
}

const withReference = (db: Tx) =>
  db
    .selectFrom('statement_line')
    .leftJoin('token_order', 'token_order.id', 'statement_line.order_id')
    .selectAll('statement_line')
    .select('token_order.reference as order_reference')

export const listLines = (db: Tx, state: StatementLineState, page: Page) =>
  readPage(withReference(db).where('statement_line.state', '=', state), page, {
    at: 'statement_line.imported_at',
    id: 'statement_line.id',
    direction: 'asc',
  })

export const lockLine = (db: Tx, id: string) =>
  db.selectFrom('statement_line').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const getLine = (db: Tx, id: string): Promise<StatementLineRow> =>
  withReference(db).where('statement_line.id', '=', id).executeTakeFirstOrThrow()

export async function resolveLine(
  db: Tx,
  id: string,
  resolved: { state: 'assigned' | 'dismissed'; by: string; reason: string; orderId?: string },
): Promise<void> {
  await db
    .updateTable('statement_line')
    .set({
      state: resolved.state,
      resolved_by: resolved.by,
      resolved_at: sql<Date>`now()`,
      reason: resolved.reason,
      ...(resolved.orderId !== undefined && { order_id: resolved.orderId }),
    })
    .where('id', '=', id)
    .execute()
}

/** How statements with this heading were read last; undefined where nobody has said so. */
export async function findLayout(db: Tx, id: string): Promise<StatementMapping | undefined> {
  const row = await db
    .selectFrom('statement_layout')
    .select('mapping')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && statementMapping.safeParse(row.mapping).data
}

export async function saveLayout(db: Tx, id: string, mapping: StatementMapping, by: string): Promise<void> {
  const values = { mapping: JSON.stringify(mapping), saved_by: by }
  await db
    .insertInto('statement_layout')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, saved_at: sql<Date>`now()` }))
    .execute()
}

export const findOrderByReference = (db: Tx, reference: string) =>
  db.selectFrom('token_order').select('id').where('reference', '=', reference).executeTakeFirst()

/** Those that name an order go with it. */
export async function deleteOldLines(db: Tx, age: number): Promise<void> {
  await db.deleteFrom('statement_line').where('imported_at', '<', ago(age)).execute()
}

/** One line that cannot be recorded leaves no trace and stops no other. */
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
