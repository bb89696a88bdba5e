import type { Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'

/** A version that has its time of publishing keeps it, and so does its post. */
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

/** Editors find what was changed last on top: nothing was since it came out. */
export const forgetChange = (db: Tx, id: string) =>
  db
    .updateTable('announcement')
    .set((row) => ({ changed_at: row.ref('posted_at') }))
    .where('id', '=', id)
    .execute()
