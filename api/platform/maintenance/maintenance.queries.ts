import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { selectStaffNameWithAddress } from '../db/expressions.ts'

/** Maintenance that is on. `until` is the expected end, if it is known. */
export type MaintenanceRow = { since: Date; until: Date | null }

export const findMaintenance = (db: Tx): Promise<MaintenanceRow | undefined> =>
  db.selectFrom('maintenance').select(['since', 'until']).executeTakeFirst()

/** The same, with the name of the administrator who turned it on. */
export const findMaintenanceForStaff = (db: Tx) =>
  db
    .selectFrom('maintenance')
    .leftJoin('member', 'member.id', 'maintenance.started_by')
    .select(['since', 'until'])
    .select(selectStaffNameWithAddress('member').as('starter_name'))
    .executeTakeFirst()

/** Returns whether it was off. Otherwise, only the expected end changes. */
export async function upsertMaintenance(
  db: Tx,
  { until, startedBy }: { until: Date | null; startedBy: string | null },
): Promise<boolean> {
  const row = await db
    .insertInto('maintenance')
    .values({ until, started_by: startedBy })
    .onConflict((conflict) => conflict.column('is_on').doUpdateSet({ until }))
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirstOrThrow()
  return row.is_new
}

/** Returns how long it was on, in milliseconds, and since when; undefined if it was off. */
export const deleteMaintenance = (db: Tx): Promise<{ since: Date; ms: number } | undefined> =>
  db
    .deleteFrom('maintenance')
    .returning(['since', sql<number>`(extract(epoch from now() - since) * 1000)::float8`.as('ms')])
    .executeTakeFirst()

/** Returns a transaction ID that is greater than those of all transactions that have written something so far. */
export async function readNextTransaction(db: Tx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db)
  return rows[0]!.id
}

/** Whether all transactions of this database with a lower ID have ended. IDs are shared with the server's other databases. */
export async function haveEnded(db: Tx, transaction: string): Promise<boolean> {
  const { rows } = await sql<{ have: boolean }>`
    select not exists (
      select from pg_stat_activity
      where datname = current_database() and age(backend_xid) > age(${transaction}::xid8::xid)
    ) as have`.execute(db)
  return rows[0]!.have
}
