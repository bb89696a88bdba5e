import { trashDays } from '#contract/publishing/announcements.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { NewsroomPost } from '#contract/publishing/newsroom.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { readReadsOfPosts } from '../../reads/reads-handlers.ts'
import { getNewsroomRow, type NewsroomRow } from './newsroom.queries.ts'

const unread = { recent: 0, total: 0 }

const present = (row: NewsroomRow, reads: NewsroomPost['reads'] = unread): NewsroomPost => ({
  _id: row.id,
  slug: row.slug,
  title: row.title,
  category: row.category,
  language: row.language,
  postedDate: row.posted_at.toISOString(),
  lastEdited: row.edited_at?.toISOString() ?? null,
  createdBy: { _id: row.created_by ?? '', displayName: row.author_name ?? '' },
  state: row.state,
  publishAt: row.publish_at?.toISOString() ?? null,
  zone: row.publish_zone,
  deletedAt: row.deleted_at?.toISOString() ?? null,
  goneAt: row.deleted_at ? new Date(row.deleted_at.getTime() + trashDays * DAY).toISOString() : null,
  editedBy: presentEditor(row.edited_by, row.editor_name),
  changedAt: row.changed_at.toISOString(),
  sibling: row.sibling_id
    ? {
        _id: row.sibling_id,
        language: row.sibling_language!,
        title: row.sibling_title!,
        state: row.sibling_state!,
      }
    : null,
  version: row.version,
  reads,
})

export async function presentNewsroomPosts(db: Tx, rows: readonly NewsroomRow[]): Promise<NewsroomPost[]> {
  const reads = await readReadsOfPosts(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => present(row, reads.get(row.id)))
}

/** Presents an editor. A member whose account was erased no longer has a name. */
export const presentEditor = (id: string | null, name: string | null) =>
  id === null ? null : { id, name: name ?? '' }

export async function presentNewsroomPost(db: Tx, row: NewsroomRow): Promise<NewsroomPost> {
  const reads = await readReadsOfPosts(db, [row.id])
  return present(row, reads.get(row.id))
}

export const readNewsroomPost = async (db: Tx, id: string): Promise<NewsroomPost> =>
  presentNewsroomPost(db, await getNewsroomRow(db, id))
