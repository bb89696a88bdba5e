import type { api } from '#contract/api.ts'
import type { PostVersion } from '#contract/publishing/newsroom.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { findAnnouncementState } from '../announcement.queries.ts'
import { presentEditor, readNewsroomPost } from '../newsroom/present-newsroom-post.ts'
import { contentOf, saveText } from '../save-text.ts'
import { findVersion, listVersions, type VersionRow } from './version.queries.ts'

export const listPostVersions: Handler<typeof api.listPostVersions> = async (
  { params, query },
  { db, answer },
) => {
  if (!(await findAnnouncementState(db, params.id))) throw new Refused('not_found')
  const page = await listVersions(db, params.id, query)
  answer.setNext(page.next)
  return page.rows.map(presentVersion)
}

export const getPostVersion: Handler<typeof api.getPostVersion> = async ({ params }, { db }) => {
  const row = await findVersion(db, params.id, params.n)
  if (!row) throw new Refused('not_found')
  return { ...presentVersion(row), content: row.content }
}

export const restorePostVersion: Handler<typeof api.restorePostVersion> = async (
  { params, body },
  context,
) => {
  const version = await findVersion(context.db, params.id, params.n)
  if (!version) throw new Refused('not_found')
  // The sanitizer may allow less now than when the version was saved.
  const content = await contentOf(context, version)
  const post = { id: params.id, lastEdited: body.lastEdited, restoredFrom: params.n }
  return saveText(context, post, content, (db) => readNewsroomPost(db, params.id))
}

const presentVersion = (row: VersionRow): PostVersion => ({
  n: row.n,
  savedAt: row.saved_at.toISOString(),
  savedBy: presentEditor(row.saved_by, row.saver_name),
  title: row.title,
  category: row.category,
  language: row.language,
  publishedAt: row.published_at?.toISOString() ?? null,
  restoredFrom: row.restored_from,
})
