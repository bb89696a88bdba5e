import type { Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'

/** Versions and posts that already have a publication time keep it. */
export async function backdate(db: Tx, id: string, age: number): Promise<void> {
  await db
    .updateTable('announcement')
    .set({ posted_at: ago(age) })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('announcement_version')
    .set({ published_at: ago(age) })
    .where('announcement_id', '=', id)
    .execute()
}

/** The newsroom shows it as written then. */
export const backdateWriting = (db: Tx, id: string, age: number) =>
  db
    .updateTable('announcement')
    .set({ changed_at: ago(age) })
    .where('id', '=', id)
    .execute()

/** The newsroom lists the last changed post first; these were not changed after publication. */
export const forgetChange = (db: Tx, id: string) =>
  db
    .updateTable('announcement')
    .set((row) => ({ changed_at: row.ref('posted_at') }))
    .where('id', '=', id)
    .execute()
