import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** `context` is the column that binds a value to its row. */
export type SealedColumn = { table: string; column: string; context: string }
type SealedValue = { context: string; sealed: Buffer }

const refsOf = ({ table, column, context }: SealedColumn) => ({
  table: sql.ref(table),
  column: sql.ref(column),
  context: sql.ref(context),
})

export async function listSealedValues(db: Tx, place: SealedColumn, limit?: number): Promise<SealedValue[]> {
  const { table, column, context } = refsOf(place)
  const { rows } = await sql<SealedValue>`
    select ${context} as context, ${column} as sealed from ${table} where ${column} is not null
    limit ${limit ?? null}`.execute(db)
  return rows
}

/** Locks all of them; others can add or change none until the end of the transaction. */
export async function lockSealedValues(db: Tx, place: SealedColumn): Promise<SealedValue[]> {
  await sql`lock table ${sql.ref(place.table)} in share row exclusive mode`.execute(db)
  return listSealedValues(db, place)
}

export async function updateSealedValue(db: Tx, place: SealedColumn, value: SealedValue): Promise<void> {
  const { table, column, context } = refsOf(place)
  await sql`update ${table} set ${column} = ${value.sealed} where ${context} = ${value.context}`.execute(db)
}

export async function countOtherConnections(db: Tx): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    select count(*)::int as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
    db,
  )
  return rows[0]!.others
}
