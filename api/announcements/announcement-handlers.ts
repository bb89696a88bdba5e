import type { api } from '#contract/api.ts'
import { categories } from '#contract/announcements.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { announceChange } from '../db/changes.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import { insertAnnouncement, lockAnnouncement, trashAnnouncement } from './announcement.queries.ts'
import { markPublished } from './newsroom/mark-published.ts'
import { readSchedule } from './newsroom/read-schedule.ts'
import { getAnnouncement } from './reading.queries.ts'
import { presentAnnouncement } from './read-posts.ts'
import { contentOf, demandUnchanged, languageTaken, saveText } from './save-text.ts'
import { refuseTaken, vacateTrashed } from './slug.queries.ts'
import { deleteWorkingCopy } from './working-copies/working-copy.queries.ts'

export const listCategories: Handler<typeof api.listCategories> = async () => [...categories]

export const createAnnouncement: Handler<typeof api.createAnnouncement> = async ({ body }, context) => {
  const { caller } = context
  const { status = 'published', publishAt, zone } = body
  // Whoever names a time does not mean at once.
  if (publishAt && status !== 'scheduled') throw refusedField('status', 'mismatch')
  const schedule = status === 'scheduled' ? readSchedule(publishAt, zone) : undefined
  const content = await contentOf(context, body)
  const work = transaction(context.db, async (db) => {
    const original = body.translationOf ? await lockAnnouncement(db, body.translationOf) : undefined
    if (body.translationOf && !original) throw new Refused('not_found')
    if (original?.language === body.language) throw languageTaken()
    if (original) await vacateTrashed(db, { slug: original.slug, language: body.language })
    const place = { ...(original && { slug: original.slug }), schedule }
    const id = await insertAnnouncement(db, content, caller.memberId, place)
    if (status === 'published') await markPublished(db, context, id)
    if (body.workingCopyId) await deleteWorkingCopy(db, caller.memberId, body.workingCopyId)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-created',
      subjectKind: 'announcement',
      subjectId: id,
      detail: { status },
    })
    if (status !== 'draft') await announceChange(db, 'announcements')
    return presentAnnouncement(await getAnnouncement(db, id))
  })
  return refuseTaken(work, languageTaken())
}

export const updateAnnouncement: Handler<typeof api.updateAnnouncement> = async ({ body }, context) => {
  const { caller } = context
  const content = await contentOf(context, body)
  const work = transaction(context.db, async (db) => {
    const stored = await lockAnnouncement(db, body._id)
    if (!stored) throw new Refused('not_found')
    demandUnchanged(stored, body.lastEdited)
    await saveText(db, context, stored, content, { by: caller.memberId })
    if (body.workingCopyId) await deleteWorkingCopy(db, caller.memberId, body.workingCopyId)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-updated',
      subjectKind: 'announcement',
      subjectId: body._id,
    })
    if (stored.state !== 'draft') await announceChange(db, 'announcements')
    return presentAnnouncement(await getAnnouncement(db, body._id))
  })
  return refuseTaken(work, languageTaken())
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
