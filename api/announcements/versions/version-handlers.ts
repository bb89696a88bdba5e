import type { api } from '#contract/api.ts'
import type { PostVersion } from '#contract/newsroom.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { announceChange } from '../../db/changes.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { findAnnouncementState, lockAnnouncement } from '../announcement.queries.ts'
import { presentEditor, readNewsroomPost } from '../newsroom/present-newsroom-post.ts'
import { contentOf, demandUnchanged, languageTaken, saveText } from '../save-text.ts'
import { refuseTaken } from '../slug.queries.ts'
import { findVersion, listVersions, type VersionRow } from './version.queries.ts'

export const listPostVersions: Handler<typeof api.listPostVersions> = async (
  { params, query },
  { db, answer },
) => {
  if (!(await findAnnouncementState(db, params.id))) throw new Refused('not_found')
  const before = /^\d{1,9}$/.test(query.after ?? '') ? Number(query.after) : 2 ** 31 - 1
  const rows = await listVersions(db, params.id, query.limit + 1, before)
  const shown = rows.slice(0, query.limit)
  if (rows.length > shown.length) answer.setNext(String(shown.at(-1)!.n))
  return shown.map(presentVersion)
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
  const { caller } = context
  const version = await findVersion(context.db, params.id, params.n)
  if (!version) throw new Refused('not_found')
  // What is allowed may have become less since it was saved.
  const content = await contentOf(context, version)
  const work = transaction(context.db, async (db) => {
    const stored = await lockAnnouncement(db, params.id)
    if (!stored) throw new Refused('not_found')
    demandUnchanged(stored, body.lastEdited)
    await saveText(db, context, stored, content, { by: caller.memberId, restoredFrom: params.n })
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-version-restored',
      subjectKind: 'announcement',
      subjectId: params.id,
      detail: { version: params.n },
    })
    if (stored.state !== 'draft') await announceChange(db, 'announcements')
    return readNewsroomPost(db, params.id)
  })
  return refuseTaken(work, languageTaken())
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
