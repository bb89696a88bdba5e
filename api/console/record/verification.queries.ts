import { sql } from 'kysely'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { staffName, ago } from '../../platform/db/expressions.ts'

/** Silence after which a verification counts as interrupted, in milliseconds. */
const silenceMax = MINUTE

/** Returns the ID of the new verification; undefined if another one is running, in any instance. */
export async function beginCheck(db: Tx, startedBy: string): Promise<string | undefined> {
  await db
    .updateTable('audit_check')
    .set({ finished_at: sql<Date>`now()` })
    .where('finished_at', 'is', null)
    .where('touched_at', '<', ago(silenceMax))
    .execute()
  const row = await db
    .insertInto('audit_check')
    .values({ started_by: startedBy })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Records the progress. Returns false if the verification was ended as interrupted. */
export async function touchCheck(
  db: Tx,
  id: string,
  progress: { total?: number; checked?: number },
): Promise<boolean> {
  const row = await db
    .updateTable('audit_check')
    .set({ ...progress, touched_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function finishCheck(
  db: Tx,
  id: string,
  found: {
    checked?: number
    head?: Buffer | null
    broken_seq?: number | null
    broken_why?: string | null
  },
): Promise<void> {
  await db
    .updateTable('audit_check')
    .set({ ...found, finished_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute()
}

const checks = (db: Tx) =>
  db
    .selectFrom('audit_check as c')
    .leftJoin('member as m', 'm.id', 'c.started_by')
    .selectAll('c')
    .select(staffName('m').as('by_name'))
    .select(sql<boolean>`c.touched_at < ${ago(silenceMax)}`.as('is_silent'))
    .orderBy('c.started_at', 'desc')
    .limit(1)

export const findLastCheck = (db: Tx) => checks(db).executeTakeFirst()

export type CheckRow = NonNullable<Awaited<ReturnType<typeof findLastCheck>>>

/** Returns the last verification that found the whole chain intact. */
export const findLastIntact = (db: Tx) =>
  checks(db).where('c.head', 'is not', null).where('c.broken_seq', 'is', null).executeTakeFirst()

/** Returns the end of the chain. */
export async function findHead(db: Tx): Promise<number> {
  const row = await db
    .selectFrom('audit_entry')
    .select('seq')
    .where('seq', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Number(row?.seq ?? 0)
}
