import { transaction, type Database, type Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'
import { Refused } from '../refused.ts'
import type { FileStore } from '../files/file-store.ts'

/** Written down before the bytes are: a crash in between leaves a name that is cleaned up, never an unknown file. */
export async function announceFile(db: Tx, fileKey: string): Promise<void> {
  await db.insertInto('pending_file').values({ file_key: fileKey }).execute()
}

/** The caller's transaction refers to these files from here on. Refused where one was cleaned up meanwhile. */
export async function settleFiles(db: Tx, fileKeys: readonly string[]): Promise<void> {
  if (fileKeys.length === 0) return
  const rows = await db
    .deleteFrom('pending_file')
    .where('file_key', 'in', fileKeys)
    .returning('file_key')
    .execute()
  if (rows.length !== fileKeys.length) throw new Refused('unavailable')
}

/** The caller's transaction refers to these files no longer: they are removed when it has happened. */
export async function abandonFiles(db: Tx, fileKeys: readonly string[]): Promise<void> {
  if (fileKeys.length === 0) return
  await db
    .insertInto('pending_file')
    .values(fileKeys.map((file_key) => ({ file_key, created_at: new Date(0) })))
    .onConflict((conflict) => conflict.column('file_key').doUpdateSet({ created_at: new Date(0) }))
    .execute()
}

/** After a failure: lets go of what was written for nothing. Where that fails too, the clean-up does it. */
export async function discardFiles(db: Tx, files: FileStore, fileKeys: readonly string[]): Promise<void> {
  try {
    await abandonFiles(db, fileKeys)
    for (const fileKey of fileKeys) await files.remove(fileKey)
  } catch {
    // Their names are kept.
  }
}

/** Removes files that nothing has referred to for `age` milliseconds. The name goes last, so that a crash repeats it. */
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
