import { sql } from 'kysely'
import { HOUR } from '#contract/platform/durations.ts'
import { transaction, type Database, type Tx } from '../../../platform/db/database.ts'
import { ago } from '../../../platform/db/expressions.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { createHash } from 'node:crypto'

export type FileKind = 'document' | 'picture'

/** Names may contain characters that store keys may not. */
export const storeKeyOf = (name: string): string =>
  `content/${createHash('sha256').update(name).digest('hex').slice(0, 40)}`

/** A PDF is identified by its hash: the same bytes are stored once, and every version keeps its own. */
export const documentName = (sha256: string): string => `${sha256}.pdf`

/**
 * Recorded before the bytes are written: a crash in between leaves a name to clean up, never an unknown file.
 */
export const announceFile = (db: Tx, file: { name: string; kind: FileKind; bytes: number }) =>
  sql`insert into content_file (name, kind, bytes) values (${file.name}, ${file.kind}, ${file.bytes})
    on conflict (name) do update set used_at = now(), bytes = excluded.bytes`.execute(db)

export const findFile = (db: Tx, name: string) =>
  db.selectFrom('content_file').select(['name', 'kind', 'bytes']).where('name', '=', name).executeTakeFirst()

/** In the transaction that stores the value, so that referenced files are not deleted before the commit. */
export const holdFiles = (db: Tx, value: unknown) =>
  sql`update content_file set used_at = now()
    where used_at < ${ago(HOUR)} and position(split_part(name, '.', 1) in ${JSON.stringify(value)}) > 0`.execute(
    db,
  )

/**
 * Whether a draft, a version, or published content references it: a picture by its name, a PDF by its SHA-256.
 */
async function isNamed(db: Tx, name: string): Promise<boolean> {
  const stem = name.replace(/\.[a-z]+$/, '')
  const holds = (table: string, column: string) =>
    sql`exists (select from ${sql.table(table)} where position(${stem} in ${sql.ref(column)}::text) > 0
      and (piece like 'documents/%' or piece in ('facts/team.json', 'facts/ambassadors.json', 'facts/partners.json')))`
  const { rows } = await sql<{ named: boolean }>`select ${holds('content_piece', 'override')}
    or ${holds('content_draft', 'value')} or ${holds('content_version', 'value')} as named`.execute(db)
  return rows[0]!.named
}

const atOnce = 50

/**
 * Deletes files without references for `age` milliseconds. Those in use are checked again after the same time.
 */
export async function removeUnusedFiles(db: Database, files: FileStore, age: number): Promise<void> {
  const old = await db
    .selectFrom('content_file')
    .select('name')
    .where('used_at', '<=', ago(age))
    .orderBy('used_at')
    .limit(atOnce)
    .execute()
  for (const { name } of old)
    await transaction(db, async (db) => {
      const file = await db
        .selectFrom('content_file')
        .select('name')
        .where('name', '=', name)
        .where('used_at', '<=', ago(age))
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!file) return
      if (await isNamed(db, name))
        await db
          .updateTable('content_file')
          .set({ used_at: sql<Date>`now()` })
          .where('name', '=', name)
          .execute()
      else {
        // The name is deleted last, so that a crash repeats the removal.
        await files.remove(storeKeyOf(name))
        await db.deleteFrom('content_file').where('name', '=', name).execute()
      }
    })
}
