import type { api } from '#contract/api.ts'
import { categories, contentLengthMax } from '#contract/announcements.ts'
import type { Language } from '#contract/fields.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { announceChange } from '../db/changes.ts'
import { transaction } from '../db/database.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Handler } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import {
  insertAnnouncement,
  lockAnnouncement,
  trashAnnouncement,
  updateAnnouncementRow,
  type AnnouncementContent,
} from './announcement.queries.ts'
import { getAnnouncement } from './reading.queries.ts'
import { presentAnnouncement } from './read-posts.ts'
import { isEmptyHtml, sanitise } from './sanitise.ts'
import { summarise } from './summarise.ts'
import { storeInlinePictures } from './take-in-picture.ts'

export const listCategories: Handler<typeof api.listCategories> = async () => [...categories]

export const createAnnouncement: Handler<typeof api.createAnnouncement> = async (
  { body },
  { db, files, caller },
) => {
  const content = await contentOf(files, body)
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
  { db, files, caller },
) => {
  const content = await contentOf(files, body)
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

async function contentOf(
  files: FileStore,
  body: { title: string; category: string; language: Language; content: string },
): Promise<AnnouncementContent> {
  const content = sanitise(await storeInlinePictures(files, body.content))
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
