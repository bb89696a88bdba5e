import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../../platform/keys.ts'
import { Refused } from '../../../platform/refused.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { getAnnouncement } from '../reading.queries.ts'
import { presentAnnouncement } from '../present-announcement.ts'
import { clearPreview, findPreviewed, setPreview } from './preview.queries.ts'

const readsMax = 200

export const createPreview: Handler<typeof api.createPreview> = ({ params }, { db, caller }) =>
  transaction(db, async (db) => {
    const token = randomSecret(32)
    const until = await setPreview(db, params.id, hashSecret(token))
    if (!until) throw new Refused('not_found')
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-preview-made',
      subjectKind: 'announcement',
      subjectId: params.id,
    })
    return { token, expiresAt: until.toISOString() }
  })

export const endPreview: Handler<typeof api.endPreview> = async ({ params }, { db, caller }) => {
  await transaction(db, async (db) => {
    if (!(await clearPreview(db, params.id))) throw new Refused('not_found')
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-preview-ended',
      subjectKind: 'announcement',
      subjectId: params.id,
    })
  })
  return { ended: true }
}

/** Returns the current text of a post to anyone with the link. */
export const readPreview: Handler<typeof api.readPreview> = async ({ params }, { db, keys, request }) => {
  await requireWithinLimits(db, keys, [
    { key: `preview ${request.client}`, max: readsMax, window: 15 * MINUTE },
  ])
  const found = await findPreviewed(db, hashSecret(params.token))
  if (!found) throw new Refused('not_found')
  return {
    post: presentAnnouncement(await getAnnouncement(db, found.id)),
    state: found.state,
    publishAt: found.publish_at?.toISOString() ?? null,
    zone: found.publish_zone,
  }
}
