import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'

type SealedFile = { name: string; form: 'plain' | 'br'; bytes: Buffer; sealed_hash: Buffer }

/** Returns which of the named files are stored; `isRecent` if their use was recorded recently. */
export const listKept = (db: Tx, names: readonly string[], recent: number) =>
  db
    .selectFrom('built_file')
    .select(['name', 'sealed_hash', sql<boolean>`kept_at > ${ago(recent)}`.as('isRecent')])
    .where('name', '=', sql<string>`any(${names})`)
    .execute()

export const listKeptNames = async (db: Tx): Promise<string[]> => {
  const rows = await db.selectFrom('built_file').select('name').execute()
  return rows.map(({ name }) => name)
}

export const findKept = (db: Tx, name: string) =>
  db.selectFrom('built_file').selectAll().where('name', '=', name).executeTakeFirst()

export async function insertBuiltFiles(db: Tx, files: readonly SealedFile[]): Promise<void> {
  await db
    .insertInto('built_file')
    .values([...files])
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({
        form: row.ref('excluded.form'),
        bytes: row.ref('excluded.bytes'),
        sealed_hash: row.ref('excluded.sealed_hash'),
        kept_at: sql<Date>`now()`,
      })),
    )
    .execute()
}

export async function touchBuiltFiles(db: Tx, names: readonly string[]): Promise<void> {
  await db
    .updateTable('built_file')
    .set({ kept_at: sql<Date>`now()` })
    .where('name', '=', sql<string>`any(${names})`)
    .execute()
}

/**
 * Deletes files that no instance has been built with for a long time. Beyond the maximum number or bytes, younger ones
 * are deleted too, oldest first; but never those of an instance that may be running.
 */
export async function deleteOldBuiltFiles(
  db: Tx,
  { age, inUse, filesMax, bytesMax }: { age: number; inUse: number; filesMax: number; bytesMax: number },
): Promise<void> {
  await sql`
    delete from built_file where name in (
      select name from (
        select name, kept_at, row_number() over latest as place, sum(octet_length(bytes)) over latest as total
        from built_file window latest as (order by kept_at desc, name)
      ) ranked
      where kept_at < ${ago(age)}
        or (kept_at < ${ago(inUse)} and (place > ${filesMax} or total > ${bytesMax})))`.execute(db)
}
