import { transaction, type Database, type Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'
import { Refused } from '../refused.ts'
import type { FileStore } from '../files/file-store.ts'

/** Recorded before the bytes are written: a crash in between leaves a name to clean up, never an unknown file. */
export async function announceFile(db: Tx, fileKey: string): Promise<void> {
  await db.insertInto('pending_file').values({ file_key: fileKey }).execute()
}

/** Marks these files as referenced by the caller's transaction. Refused if one was cleaned up meanwhile. */
export async function settleFiles(db: Tx, fileKeys: readonly string[]): Promise<void> {
  if (fileKeys.length === 0) return
  const rows = await db
    .deleteFrom('pending_file')
    .where('file_key', 'in', fileKeys)
    .returning('file_key')
    .execute()
  if (rows.length !== fileKeys.length) throw new Refused('unavailable')
}

/** Marks these files as no longer referenced: they are removed after the caller's transaction commits. */
export async function abandonFiles(db: Tx, fileKeys: readonly string[]): Promise<void> {
  if (fileKeys.length === 0) return
  await db
    .insertInto('pending_file')
    .values(fileKeys.map((file_key) => ({ file_key, created_at: new Date(0) })))
    .onConflict((conflict) => conflict.column('file_key').doUpdateSet({ created_at: new Date(0) }))
    .execute()
}

/**
 * After a failure: removes the written files that nothing refers to. If only the response to a commit was lost, they
 * are settled and stay. If this fails too, the cleanup removes them.
 */
export async function discardFiles(db: Tx, files: FileStore, fileKeys: readonly string[]): Promise<void> {
  if (fileKeys.length === 0) return
  try {
    // Waits for a transaction that is settling them.
    const unsettled = await db
      .updateTable('pending_file')
      .set({ created_at: new Date(0) })
      .where('file_key', 'in', fileKeys)
      .returning('file_key')
      .execute()
    for (const { file_key } of unsettled) await files.remove(file_key)
  } catch {
    // The names stay recorded for the cleanup.
  }
}

/**
 * Removes files that nothing has referred to for `age` milliseconds. The name is deleted last, so that a crash repeats
 * the removal.
 */
export async function removePendingFiles(
  db: Database,
  files: FileStore,
  age: number,
  limit: number,
): Promise<void> {
  await transaction(db, async (db) => {
    const rows = await db
      .selectFrom('pending_file')
      .select('file_key')
      .where('created_at', '<=', ago(age))
      .orderBy('created_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { file_key } of rows) {
      await files.remove(file_key)
      await db.deleteFrom('pending_file').where('file_key', '=', file_key).execute()
    }
  })
}
