import { sql } from 'kysely'
import { transaction, type Database, type Tx } from '../db/database.ts'

export const erasureKinds = ['member', 'application', 'photos', 'ambassador', 'subscription'] as const
export type ErasureKind = (typeof erasureKinds)[number]

export type Erasure = { kind: ErasureKind; id: string; at: Date }

/**
 * Hands an erasure that is not noted to `note`, and forgets it once it is. False where there is none. Instances get different ones.
 * Members come last: where one is noted and an application of theirs is not, it was retained.
 */
export const noteNext = (db: Database, note: (erasure: Erasure) => Promise<void>): Promise<boolean> =>
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

/** Whatever is written of it: with an application go its photos. */
export const forgetToNote = (db: Tx, id: string) =>
  db.deleteFrom('erasure_to_note').where('id', '=', id).execute()

/** Whether a backup was restored, and what was erased since is not erased again. */
export const isRestored = async (db: Tx): Promise<boolean> =>
  (await db.selectFrom('restored_backup').select('taken_at').executeTakeFirst()) !== undefined

/** One instance at a time. False where another has done it meanwhile. */
export async function takeRestored(db: Tx): Promise<boolean> {
  // Much may be erased again, and another instance that starts meanwhile waits for it.
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`lock table restored_backup in exclusive mode`.execute(db)
  const rows = await db.deleteFrom('restored_backup').returning('taken_at').execute()
  return rows.length > 0
}

/** Of these the ones that are there again. */
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
    // Its id and the time of its end: who subscribed again after that stays.
    subscription: sql<{ id: string }>`
      select note.id from unnest(${ids}::text[]) as note (id)
      join subscriber s on s.id = regexp_replace(note.id, '-[0-9]+$', '')
      where s.state <> 'ended' and coalesce(s.consented_at, s.asked_at)
        <= to_timestamp(substring(note.id from '-([0-9]+)$')::numeric / 1000)`,
  }[kind].execute(db)
  return rows.map(({ id }) => id)
}
