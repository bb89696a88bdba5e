import type { api } from '#contract/api.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import type { NewsroomPost } from '#contract/publishing/newsroom.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { announceChange } from '../../../platform/db/changes.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { retractEmails } from '../../newsletter/retracted-email.queries.ts'
import { Refused } from '../../../platform/refused.ts'
import {
  lockAnnouncement,
  lockTrashed,
  updateState,
  type AnnouncementStored,
} from '../announcement.queries.ts'
import { requireUnchanged } from '../save-text.ts'
import { markPublished } from '../mark-published.ts'
import { isAllowed, stateAfterTrash, type Transition } from '../post.rules.ts'
import { readNewsroomPost } from './present-newsroom-post.ts'
import { readSchedule } from './read-schedule.ts'

export const publishPost: Handler<typeof api.publishPost> = ({ params, body }, context) =>
  transition(context, params.id, 'publish', async (db, stored) => {
    requireUnchanged(stored, body.lastEdited)
    await markPublished(db, context, stored.id)
    return {}
  })

export const schedulePost: Handler<typeof api.schedulePost> = ({ params, body }, context) => {
  const schedule = readSchedule(body.publishAt, body.zone)
  return transition(context, params.id, 'schedule', async (db, stored) => {
    requireUnchanged(stored, body.lastEdited)
    await updateState(db, stored.id, 'scheduled', schedule)
    return { publishAt: schedule.publishAt.toISOString(), zone: schedule.zone }
  })
}

export const unpublishPost: Handler<typeof api.unpublishPost> = ({ params }, context) =>
  transition(context, params.id, 'unpublish', async (db, stored) => {
    await updateState(db, stored.id, 'draft')
    await retractEmails(db, stored.id)
    return { from: stored.state }
  })

export const restorePost: Handler<typeof api.restorePost> = ({ params }, context) =>
  transition(context, params.id, 'restore', async (db, stored) => {
    const state = stateAfterTrash(stored.state_before_trash, stored.publish_at, new Date())
    const { publish_at: publishAt, publish_zone: zone } = stored
    if (state === 'published') await markPublished(db, context, stored.id)
    else if (state === 'scheduled')
      await updateState(db, stored.id, state, { publishAt: publishAt!, zone: zone! })
    else await updateState(db, stored.id, state)
    return { to: state }
  })

const actions: Record<Exclude<Transition, 'delete'>, AuditActionOn<'announcement'>> = {
  publish: 'announcement-published',
  schedule: 'announcement-scheduled',
  unpublish: 'announcement-unpublished',
  restore: 'announcement-restored',
}

/** Locks the post, changes it if its state allows that, records who did it, and notifies every instance. */
const transition = (
  { db, caller }: MemberContext,
  id: string,
  name: keyof typeof actions,
  work: (db: Tx, stored: AnnouncementStored) => Promise<Record<string, string>>,
): Promise<NewsroomPost> =>
  transaction(db, async (db) => {
    const stored = await (name === 'restore' ? lockTrashed(db, id) : lockAnnouncement(db, id))
    if (!stored) throw new Refused('not_found')
    if (!isAllowed(name, stored.state)) throw new Refused('conflict')
    const detail = await work(db, stored)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: actions[name],
      subjectKind: 'announcement',
      subjectId: id,
      detail: { ...detail, version: stored.version },
    })
    await announceChange(db, 'announcements')
    if (stored.state === 'published') await announceChange(db, 'retractions')
    return readNewsroomPost(db, id)
  })
