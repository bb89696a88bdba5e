import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import type { Handler } from '../../http/handler.ts'
import { hashSecret } from '../../keys.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { Refused } from '../../refused.ts'
import { findStatusOfLink } from './status-link.queries.ts'

const perClientMax = 60

/** Returns the status. Unknown codes, expired codes, and codes of erased applications get the same response. */
export const readAmbassadorStatus: Handler<typeof api.readAmbassadorStatus> = async (
  { body },
  { db, keys, request },
) => {
  await requireWithinLimits(db, keys, [
    { key: `ambassador status ${request.client}`, max: perClientMax, window: 15 * MINUTE },
  ])
  const row = await findStatusOfLink(db, hashSecret(body.code))
  if (!row) throw new Refused('code_invalid')
  return { status: row.status, at: row.state_at.toISOString() }
}
