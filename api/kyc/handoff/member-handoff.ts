import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { hashSecret, randomSecret } from '../../keys.ts'
import { Refused } from '../../refused.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { hasOpenKyc, isFinallyRejected } from '../kyc.queries.ts'
import { findHandoffOfMember, insertHandoff, listHandoffPhotos, lockHandoffs } from './handoff.queries.ts'
import { auditHandoff, stopHandoff } from './stop-handoff.ts'

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
