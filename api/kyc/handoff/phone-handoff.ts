import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import { isRefusedByIndex, transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { hashSecret } from '../../keys.ts'
import { Refused } from '../../refused.ts'
import { requireWithinLimits, refund } from '../../rate-limits/rate-limit.ts'
import { stagePhoto } from '../upload-photo.ts'
import { deleteStagedPhoto } from '../staged-photo.queries.ts'
import { bindHandoff, requireRoom, listHandoffPhotos } from './handoff.queries.ts'
import { auditHandoff, stopHandoff } from './stop-handoff.ts'
import { deviceOf } from '../../http/device.ts'

const missesMax = 30

/** The same answer for a link that never existed, has ended, or was opened elsewhere. */
export const openHandoff: Handler<typeof api.openHandoff> = async ({ body }, { db, keys, request }) => {
  const limits = [{ key: `handoff from ${request.client}`, max: missesMax, window: 15 * MINUTE }]
  await requireWithinLimits(db, keys, limits)
  const row = await transaction(db, async (db) => {
    const device = deviceOf(request.userAgent)
    const row = await bindHandoff(db, hashSecret(body.link), hashSecret(body.secret), device)
    if (row?.isFirst) await auditHandoff(db, row.member_id, { action: 'kyc-handoff-opened', actorId: null })
    return row
  }).catch((error: unknown) => {
    // A secret belongs to one hand-off.
    if (isRefusedByIndex(error, 'phone_handoff_secret_hash_key')) return undefined
    throw error
  })
  if (!row) throw new Refused('not_found')
  await refund(db, keys, limits)
  const received = (await listHandoffPhotos(db, row.id)).length
  return { expiresAt: row.expires_at.toISOString(), room: row.room, received }
}

/** Checks the limit before decoding the picture, and again under the lock. */
export const stageHandoffPhoto: Handler<typeof api.stageHandoffPhoto> = async ({ body }, context) => {
  const { db, caller } = context
  await transaction(db, (db) => requireRoom(db, caller.handoffId))
  return stagePhoto(body.photo, caller.memberId, context, caller.handoffId)
}

export const deleteHandoffPhoto: Handler<typeof api.deleteHandoffPhoto> = async (
  { params },
  { db, caller },
) => {
  const isPaymentDropped = await transaction(db, (db) =>
    deleteStagedPhoto(db, caller.memberId, params.id, caller.handoffId),
  )
  if (!isPaymentDropped) throw new Refused('not_found')
  return { dropped: true }
}

export const closeHandoff: Handler<typeof api.closeHandoff> = async (_, { db, caller }) => {
  await transaction(db, (db) => stopHandoff(db, caller.memberId, 'phone'))
  return { ended: true }
}
