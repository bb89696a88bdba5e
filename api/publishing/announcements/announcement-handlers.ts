import type { api } from '#contract/api.ts'
import { categories, type Announcement } from '#contract/publishing/announcements.ts'
import type { InputOf } from '#contract/platform/endpoint.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { announceChange } from '../../platform/db/changes.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Context, Handler } from '../../platform/http/handler.ts'
import { idempotent } from '../../platform/idempotency/idempotent.ts'
import { retractEmails } from '../newsletter/retracted-email.queries.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import {
  insertAnnouncement,
  lockAnnouncement,
  trashAnnouncement,
  updatePresentation,
  type AnnouncementContent,
  type Presentation,
} from './announcement.queries.ts'
import { markPublished } from './mark-published.ts'
import { readSchedule } from './newsroom/read-schedule.ts'
import { getAnnouncement } from './reading.queries.ts'
import { readPresentation } from './read-presentation.ts'
import { presentAnnouncement } from './present-announcement.ts'
import { contentOf, isLanguageTaken, saveText } from './save-text.ts'
import { refuseTaken, vacateTrashed } from './slug.queries.ts'
import { endAutosave } from './autosaves/autosave.queries.ts'
import { storePicture } from '../pictures/store-picture.ts'

export const listCategories: Handler<typeof api.listCategories> = async () => [...categories]

type Create = typeof api.createAnnouncement

export const createAnnouncement: Handler<Create> = async ({ body }, context) => {
  // A request with a publishing time is not meant to publish at once.
  if (body.publishAt && body.status !== 'scheduled') throw refusedField('status', 'mismatch')
  const content = await contentOf(context, body)
  const presentation = await readPresentation(context, body)
  const named = {
    memberId: context.caller.memberId,
    key: context.request.idempotencyKey,
    call: 'announcements/create',
    body,
  }
  const work = transaction(context.db, (db) =>
    idempotent(db, named, () => addPost(db, body, { ...content, presentation }, context)),
  )
  return refuseTaken(work, isLanguageTaken())
}

async function addPost(
  db: Tx,
  body: InputOf<Create>['body'],
  { presentation, ...content }: AnnouncementContent & { presentation: Presentation },
  context: Context<Create['access']>,
): Promise<Announcement> {
  const { status = 'published', publishAt, zone, translationOf, workingCopyId } = body
  const { memberId } = context.caller
  const schedule = status === 'scheduled' ? readSchedule(publishAt, zone) : undefined
  const original = translationOf ? await lockAnnouncement(db, translationOf) : undefined
  if (translationOf && !original) throw new Refused('not_found')
  if (original?.language === body.language) throw isLanguageTaken()
  if (original) await vacateTrashed(db, { slug: original.slug, language: body.language })
  if (workingCopyId) await endAutosave(db, memberId, workingCopyId, body.language)
  const id = await insertAnnouncement(db, content, memberId, {
    ...(original && { slug: original.slug }),
    schedule,
  })
  await updatePresentation(db, id, presentation)
  if (status === 'published') await markPublished(db, context, id)
  await recordAudit(db, {
    actorId: memberId,
    action: 'announcement-created',
    subjectKind: 'announcement',
    subjectId: id,
    detail: { status },
  })
  if (status !== 'draft') await announceChange(db, 'announcements')
  return presentAnnouncement(await getAnnouncement(db, id))
}

export const updateAnnouncement: Handler<typeof api.updateAnnouncement> = async ({ body }, context) => {
  const content = await contentOf(context, body)
  const presentation = await readPresentation(context, body)
  return saveText(context, { id: body._id, lastEdited: body.lastEdited }, content, async (db) => {
    await updatePresentation(db, body._id, presentation)
    if (body.workingCopyId) await endAutosave(db, context.caller.memberId, body.workingCopyId, body.language)
    return presentAnnouncement(await getAnnouncement(db, body._id))
  })
}

export const deleteAnnouncement: Handler<typeof api.deleteAnnouncement> = async (
  { params },
  { db, caller },
) => {
  await transaction(db, async (db) => {
    if (!(await trashAnnouncement(db, params.id, caller.memberId))) throw new Refused('not_found')
    await retractEmails(db, params.id)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-deleted',
      subjectKind: 'announcement',
      subjectId: params.id,
    })
    await announceChange(db, 'announcements')
    await announceChange(db, 'retractions')
  })
  return { deleted: true }
}

export const uploadPicture: Handler<typeof api.uploadPicture> = ({ body }, context) =>
  storePicture(context, body.picture, 'picture')
