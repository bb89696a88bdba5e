import type { api } from '#contract/api.ts'
import { categories, contentLengthMax, type Announcement } from '#contract/announcements.ts'
import { languages, type Language } from '#contract/fields.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { announceChange } from '../db/changes.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import {
  getAnnouncement,
  insertAnnouncement,
  listPublished,
  lockAnnouncement,
  trashAnnouncement,
  updateAnnouncementRow,
  type AnnouncementContent,
  type AnnouncementRow,
} from './announcement.queries.ts'
import { isEmptyHtml, sanitise } from './sanitise.ts'
import { summarise } from './summarise.ts'

export const listCategories: Handler<typeof api.listCategories> = async () => [...categories]

export const listAnnouncements: Handler<typeof api.listAnnouncements> = async (
  { params, query },
  { db, answer },
) => {
  const language = languages.find((known) => known === params.lang)
  if (!language) throw new Refused('not_found')
  const page = await listPublished(db, language, query.limit, query.after)
  answer.setNext(page.next)
  return page.rows.map(presentAnnouncement)
}

export const createAnnouncement: Handler<typeof api.createAnnouncement> = async (
  { body },
  { db, caller },
) => {
  const content = contentOf(body)
  return transaction(db, async (db) => {
    const id = await insertAnnouncement(db, content, caller.memberId)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-created',
      subjectKind: 'announcement',
      subjectId: id,
    })
    await announceChange(db, 'announcements')
    return presentAnnouncement(await getAnnouncement(db, id))
  })
}

export const updateAnnouncement: Handler<typeof api.updateAnnouncement> = async (
  { body },
  { db, caller },
) => {
  const content = contentOf(body)
  return transaction(db, async (db) => {
    const stored = await lockAnnouncement(db, body._id)
    if (!stored) throw new Refused('not_found')
    const storedEdit = stored.edited_at?.toISOString() ?? null
    if (body.lastEdited !== undefined && body.lastEdited !== storedEdit) throw new Refused('conflict')
    await updateAnnouncementRow(db, body._id, content)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-updated',
      subjectKind: 'announcement',
      subjectId: body._id,
    })
    await announceChange(db, 'announcements')
    return presentAnnouncement(await getAnnouncement(db, body._id))
  })
}

export const deleteAnnouncement: Handler<typeof api.deleteAnnouncement> = async (
  { params },
  { db, caller },
) => {
  await transaction(db, async (db) => {
    if (!(await trashAnnouncement(db, params.id, caller.memberId))) throw new Refused('not_found')
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-deleted',
      subjectKind: 'announcement',
      subjectId: params.id,
    })
    await announceChange(db, 'announcements')
  })
  return { deleted: true }
}

function contentOf(body: {
  title: string
  category: string
  language: Language
  content: string
}): AnnouncementContent {
  const content = sanitise(body.content)
  if (isEmptyHtml(content)) throw refusedField('content', 'required')
  // Sanitising writes a bracket as four characters, and what is stored must pass when it is handed in again.
  if (content.length > contentLengthMax) throw refusedField('content', 'too_long', { max: contentLengthMax })
  return {
    title: body.title,
    category: body.category,
    language: body.language,
    content,
    contentSummary: summarise(content),
  }
}

const presentAnnouncement = (row: AnnouncementRow): Announcement => ({
  _id: row.id,
  title: row.title,
  category: row.category,
  language: row.language,
  content: row.content,
  contentSummary: row.content_summary,
  postedDate: row.posted_at.toISOString(),
  lastEdited: row.edited_at?.toISOString() ?? null,
  createdBy: { _id: row.created_by ?? '', displayName: row.author_name ?? '' },
})
