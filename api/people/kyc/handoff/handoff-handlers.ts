import type { api } from '#contract/api.ts'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import { transaction, isRefusedByIndex, type Tx } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../../platform/keys.ts'
import { Refused } from '../../../platform/refused.ts'
import { requireWithinLimits, refund } from '../../../platform/rate-limits/rate-limit.ts'
import { hasOpenKyc, isFinallyRejected } from '../kyc.queries.ts'
import {
  findHandoffOfMember,
  insertHandoff,
  listHandoffPhotos,
  lockHandoffs,
  bindHandoff,
  requireRoom,
  endHandoffOfMember,
} from './handoff.queries.ts'
import { stagePhoto } from '../upload-photo.ts'
import { deleteStagedPhoto } from '../staged-photo.queries.ts'
import { deviceOf } from '../../../platform/http/device.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'

const perHourMax = 20

/** The link is returned only once, here; the database stores its hash. */
export const createHandoff: Handler<typeof api.createHandoff> = async ({ body }, { db, keys, caller }) => {
  const { memberId, sessionId } = caller
  await requireWithinLimits(db, keys, [{ key: `handoff of ${memberId}`, max: perHourMax, window: HOUR }])
  if ((await hasOpenKyc(db, memberId)) || (await isFinallyRejected(db, memberId)))
    throw new Refused('conflict')
  const link = randomSecret(32)
  const row = await transaction(db, async (db) => {
    await lockHandoffs(db, memberId)
    await stopHandoff(db, memberId, 'computer')
    await auditHandoff(db, memberId, { action: 'kyc-handoff-made', actorId: memberId })
    return insertHandoff(db, { memberId, sessionId, linkHash: hashSecret(link), room: body.room })
  })
  return { link, expiresAt: row.expires_at.toISOString() }
}

export const getHandoff: Handler<typeof api.getHandoff> = async (_, { db, caller }) => {
  const row = await findHandoffOfMember(db, caller.memberId)
  if (!row) return { id: null, state: 'none', expiresAt: null, openedAt: null, device: '', photos: [] }
  const photos = await listHandoffPhotos(db, row.id)
  return {
    id: row.id,
    state: !row.is_alive ? 'ended' : row.opened_at ? 'open' : 'waiting',
    expiresAt: row.expires_at.toISOString(),
    openedAt: row.opened_at?.toISOString() ?? null,
    device: row.device,
    photos: photos.map(({ id, created_at }) => ({ id, at: created_at.toISOString() })),
  }
}

export const endHandoff: Handler<typeof api.endHandoff> = async (_, { db, caller }) => {
  await transaction(db, (db) => stopHandoff(db, caller.memberId, 'computer'))
  return { ended: true }
}

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

/** `actorId` is null if only a phone with the link is known. */
const auditHandoff = (
  db: Tx,
  memberId: string,
  entry: {
    action: 'kyc-handoff-made' | 'kyc-handoff-opened' | 'kyc-handoff-ended'
    actorId: string | null
    detail?: Record<string, string>
  },
): Promise<void> => recordAudit(db, { detail: {}, ...entry, subjectKind: 'member', subjectId: memberId })

/** Ends the member's hand-off, if there is one. `by` is the cause. */
export async function stopHandoff(
  db: Tx,
  memberId: string,
  by: 'computer' | 'phone' | 'application',
): Promise<void> {
  if (await endHandoffOfMember(db, memberId))
    await auditHandoff(db, memberId, {
      action: 'kyc-handoff-ended',
      actorId: by === 'phone' ? null : memberId,
      detail: { by },
    })
}
