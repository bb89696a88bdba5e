import { sql } from 'kysely'
import { HOUR } from '#contract/platform/durations.ts'
import { transaction, type Database, type Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import type { FileStore } from '../../platform/files/file-store.ts'

/** `mail`: the crop for emails. */
export const keyOf = (name: string, width: number | string): string => `news/${name}-${width}`

/**
 * Records a picture before its bytes are written: a crash in between leaves a name to clean up, never an unknown file.
 * Waits while the same picture is being removed, and then writes it again.
 */
export async function announcePicture(db: Tx, name: string, widths: number[]): Promise<void> {
  await sql`
    insert into announcement_picture as known (name, widths) values (${name}, ${widths})
    on conflict (name) do update set used_at = now(),
      widths = array(select distinct unnest(known.widths || excluded.widths))`.execute(db)
}

/** Whether a text may show pictures of the store. */
const mayShowPictures = (content: string): boolean => content.includes('/assets/media/news/')

/**
 * Marks the pictures as used in the transaction that saves the content, so that they are not removed before the commit.
 */
export async function holdPictures(db: Tx, content: string): Promise<void> {
  if (!mayShowPictures(content)) return
  // Recently used pictures are not removed soon. Sorted, so that two saves cannot deadlock.
  await sql`
    with held as (select name from announcement_picture
      where name = any (pictures_in(${content})) and used_at < ${ago(HOUR)} order by name for update)
    update announcement_picture set used_at = now() where name in (select name from held)`.execute(db)
}

/** Returns the widths of a stored picture, and keeps it from being removed in the next few days. */
export async function holdPicture(db: Tx, name: string): Promise<number[] | undefined> {
  const row = await db
    .updateTable('announcement_picture')
    .set({ used_at: sql<Date>`now()` })
    .where('name', '=', name)
    .returning('widths')
    .executeTakeFirst()
  return row?.widths
}

/** Returns which of these pictures a post, version, autosave, or card shows, with one indexed query for all names. */
async function findShown(db: Tx, names: readonly string[]): Promise<string[]> {
  const shownIn = (table: string) =>
    sql`select unnest(pictures_in(content)) as name from ${sql.table(table)} where pictures_in(content) && ${names}::text[]`
  const { rows } = await sql<{ name: string }>`
    select distinct name from (${shownIn('announcement')} union all ${shownIn('announcement_version')}
      union all ${shownIn('announcement_working_copy')}
      union all select unnest(pictures_in(card_src)) from announcement_working_copy where card_src <> ''
      union all select card_picture from announcement where card_picture = any (${names}::text[])) shown where name = any (${names}::text[])`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Limits the texts read at once: one may be several megabytes. */
const picturesAtOnce = 50

/** Removes pictures unused for `age` milliseconds. Pictures in use are checked again after the same time. */
export async function removeUnusedPictures(
  db: Database,
  files: FileStore,
  age: number,
  limit: number,
): Promise<void> {
  for (let seen = 0; seen < limit; seen += picturesAtOnce) {
    const names = await listOldPictures(db, age)
    if (names.length === 0) return
    const shown = await findShown(db, names)
    await db
      .updateTable('announcement_picture')
      .set({ used_at: sql<Date>`now()` })
      .where('name', '=', sql<string>`any (${shown}::text[])`)
      .execute()
    for (const name of names)
      if (!shown.includes(name)) await transaction(db, (db) => removeUnusedPicture(db, files, name, age))
  }
}

async function listOldPictures(db: Tx, age: number): Promise<string[]> {
  const rows = await db
    .selectFrom('announcement_picture')
    .select('name')
    .where('used_at', '<=', ago(age))
    .orderBy('used_at')
    .limit(picturesAtOnce)
    .execute()
  return rows.map(({ name }) => name)
}

/**
 * Removes a picture. Holds the lock of the name and deletes the name last: after a crash the removal is repeated, and
 * an upload of the same picture waits.
 */
async function removeUnusedPicture(db: Tx, files: FileStore, name: string, age: number): Promise<void> {
  const picture = await db
    .selectFrom('announcement_picture')
    .select('widths')
    .where('name', '=', name)
    .where('used_at', '<=', ago(age))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  // A text that uses it may have been saved before the lock was acquired.
  if (!picture || (await findShown(db, [name])).length > 0) return
  for (const width of [...picture.widths, 'mail']) await files.remove(keyOf(name, width))
  await db.deleteFrom('announcement_picture').where('name', '=', name).execute()
}
