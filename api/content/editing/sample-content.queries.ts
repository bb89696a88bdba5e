import type { Tx } from '../../db/database.ts'
import { ago } from '../../db/time.ts'

/** As if it had been published then. */
export async function backdateVersion(db: Tx, piece: string, n: number, age: number): Promise<void> {
  await db
    .updateTable('content_version')
    .set({ at: ago(age) })
    .where('piece', '=', piece)
    .where('n', '=', n)
    .execute()
  await db
    .updateTable('content_piece')
    .set({ published_at: ago(age) })
    .where('piece', '=', piece)
    .execute()
}

export const backdateDrafts = (db: Tx, piece: string, age: number) =>
  db
    .updateTable('content_draft')
    .set({ saved_at: ago(age) })
    .where('piece', '=', piece)
    .execute()

export const backdateRelease = (db: Tx, id: string, age: number) =>
  db
    .updateTable('content_release')
    .set({ proposed_at: ago(age) })
    .where('id', '=', id)
    .execute()
