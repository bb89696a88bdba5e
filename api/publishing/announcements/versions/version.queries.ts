import { sql } from 'kysely'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { paginate, type Page } from '../../../platform/db/read-page.ts'
import { holdPictures } from '../../pictures/picture.queries.ts'

type Text = { title: string; category: string; language: Language; content: string }

export async function insertVersion(
  db: Tx,
  { postId, n }: { postId: string; n: number },
  { title, category, language, content }: Text,
  { by, restoredFrom }: { by: string | null; restoredFrom?: number | undefined },
): Promise<void> {
  await holdPictures(db, content)
  await db
    .insertInto('announcement_version')
    .values({
      announcement_id: postId,
      n,
      title,
      category,
      language,
      content,
      saved_by: by,
      restored_from: restoredFrom ?? null,
    })
    .execute()
}

/** Marks the newest version of the post as public, unless it was public before. */
export const markNewestPublic = (db: Tx, postId: string) =>
  db
    .updateTable('announcement_version')
    .set({ published_at: sql<Date>`now()` })
    .where('announcement_id', '=', postId)
    .where('n', '=', (query) => query.selectFrom('announcement').select('version').where('id', '=', postId))
    .where('published_at', 'is', null)
    .execute()

/** Copies the newest version under the next number, unless it is not public yet. */
export async function repeatNewest(db: Tx, postId: string): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    insert into announcement_version (announcement_id, n, title, category, language, content, saved_by)
      select v.announcement_id, v.n + 1, v.title, v.category, v.language, v.content, v.saved_by
      from announcement_version v join announcement post on post.id = v.announcement_id and post.version = v.n
      where post.id = ${postId} and v.published_at is not null
    returning n`.execute(db)
  if (rows[0])
    await db.updateTable('announcement').set({ version: rows[0].n }).where('id', '=', postId).execute()
}

export async function wasEverPublic(db: Tx, postId: string): Promise<boolean> {
  const row = await db
    .selectFrom('announcement_version')
    .select('n')
    .where('announcement_id', '=', postId)
    .where('published_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const selectVersions = (db: Tx, postId: string) =>
  db
    .selectFrom('announcement_version as version')
    .leftJoin('member', 'member.id', 'version.saved_by')
    .select([
      'version.n',
      'version.title',
      'version.category',
      'version.language',
      'version.saved_at',
      'version.saved_by',
      'version.published_at',
      'version.restored_from',
      'member.display_name as saver_name',
    ])
    .where('version.announcement_id', '=', postId)

export type VersionRow = Awaited<ReturnType<typeof listVersions>>['rows'][number]

/** Lists versions, newest first. A page continues below the last number of the previous one. */
export function listVersions(db: Tx, postId: string, { limit, after = '' }: Page) {
  const before = /^\d{1,9}$/.test(after) ? Number(after) : 2 ** 31 - 1
  return paginate(
    selectVersions(db, postId).where('version.n', '<', before).orderBy('version.n', 'desc'),
    limit,
    (row) => String(row.n),
  )
}

export const findVersion = (db: Tx, postId: string, n: number) =>
  selectVersions(db, postId).select('version.content').where('version.n', '=', n).executeTakeFirst()
