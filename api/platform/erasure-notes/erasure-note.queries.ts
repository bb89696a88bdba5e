import { sql } from 'kysely'
import { transaction, type Database, type Tx } from '../db/database.ts'

export const erasureKinds = ['member', 'application', 'photos', 'ambassador', 'subscription'] as const
export type ErasureKind = (typeof erasureKinds)[number]

export type Erasure = { kind: ErasureKind; id: string; at: Date }

/**
 * Passes the next unrecorded erasure to `note`, and removes it from the queue afterwards. Returns false if there is
 * none. Concurrent instances get different ones. Members come last: if one is recorded and their application is not,
 * the application was retained.
 */
export const recordNextErasure = (
  db: Database,
  note: (erasure: Erasure) => Promise<void>,
): Promise<boolean> =>
  transaction(db, async (db) => {
    const row = await db
      .selectFrom('erasure_to_note')
      .selectAll()
      .orderBy('kind', 'desc')
      .orderBy('at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!row) return false
    await note(row)
    await db.deleteFrom('erasure_to_note').where('kind', '=', row.kind).where('id', '=', row.id).execute()
    return true
  })

/** Removes the erasure from the queue, with all its parts: erasing an application includes its photos. */
export const deletePendingErasure = (db: Tx, id: string) =>
  db.deleteFrom('erasure_to_note').where('id', '=', id).execute()

/** Whether a backup was restored and later erasures have not been repeated yet. */
export const isRestored = async (db: Tx): Promise<boolean> =>
  (await db.selectFrom('restored_backup').select('taken_at').executeTakeFirst()) !== undefined

/**
 * Locks the record of a restored backup, so that only one instance repeats the erasures. Returns false if another one
 * has already done so.
 */
export async function claimRestored(db: Tx): Promise<boolean> {
  // Repeating many erasures may take long, and another instance that starts meanwhile waits for it.
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`lock table restored_backup in exclusive mode`.execute(db)
  const rows = await db.deleteFrom('restored_backup').returning('taken_at').execute()
  return rows.length > 0
}

/** Returns which of these exist again. */
export async function listRevived(db: Tx, kind: ErasureKind, ids: readonly string[]): Promise<string[]> {
  const { rows } = await {
    member: sql<{ id: string }>`select id from member where erased_at is null and id = any(${ids}::text[])`,
    application: sql<{
      id: string
    }>`select id from kyc_application where full_name <> '' and id = any(${ids}::text[])`,
    photos: sql<{
      id: string
    }>`select id from kyc_application where sealed_data_key is not null and id = any(${ids}::text[])`,
    ambassador: sql<{ id: string }>`select id from ambassador_application where id = any(${ids}::text[])`,
    // The ID with the time of the end: a later subscription of the same reader is not affected.
    subscription: sql<{ id: string }>`
      select note.id from unnest(${ids}::text[]) as note (id)
      join subscriber s on s.id = regexp_replace(note.id, '-[0-9]+$', '')
      where s.state <> 'ended' and coalesce(s.consented_at, s.asked_at)
        <= to_timestamp(substring(note.id from '-([0-9]+)$')::numeric / 1000)`,
  }[kind].execute(db)
  return rows.map(({ id }) => id)
}
