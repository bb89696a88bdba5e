import { timingSafeEqual } from 'node:crypto'
import { api } from '#contract/api.ts'
import { failedTokensMax, tokenCallsMax, type TokenRefusal } from '#contract/api-tokens.ts'
import { MINUTE } from '#contract/durations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { machineUseOf, type MachineUse } from '#contract/machine-calls.ts'
import type { Authenticators } from '../http/admit.ts'
import type { KnownSession } from '../http/caller.ts'
import { clientOf } from '../http/request-facts.ts'
import { hashSecret } from '../keys.ts'
import { countingRightsOf } from '../members/rights.ts'
import { countOne, requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'
import type { Services } from '../services.ts'
import { findTokenBySecret, noteRefusal, noteUse, type KnownToken } from './api-token.queries.ts'
import { countingLevels, hasLevel, rightsOfLevels } from './counting-levels.ts'
import { isWithin, placeOf } from './place.ts'
import { levelsOfRow } from './present-token.ts'
import { isSecret } from './secret.ts'

const uses: ReadonlyMap<Endpoint, MachineUse> = new Map(
  Object.entries<Endpoint>(api).flatMap(([name, endpoint]) => {
    const use = machineUseOf(name)
    return use ? [[endpoint, use] as const] : []
  }),
)

/**
 * Whom a token speaks for, and with which levels at this moment. Why one does not count is said to its maker in the console,
 * not to whoever sends it: to them all reasons look alike.
 */
export const admitToken: Authenticators['machine'] = async (services, given, endpoint, ip) => {
  const { db, keys } = services
  const token = isSecret(given) ? await findTokenBySecret(db, hashSecret(given)) : undefined
  if (!token || !isSame(token, given)) throw await failed(services, ip)
  const levels = countingLevels(levelsOfRow(token), countingRightsOf(token))
  const why = whyNot(token, hasLevel(levels), ip)
  if (why) {
    await noteRefusal(db, token.token_id, placeOf(ip), why)
    throw await failed(services, ip)
  }
  await requireWithinLimits(db, keys, [
    { key: `api-token ${token.token_id}`, max: tokenCallsMax, window: MINUTE },
  ])
  if (token.is_use_due) await noteUse(db, token.token_id, { place: placeOf(ip), isCurrent: token.is_current })
  const use = uses.get(endpoint)
  if (!use) throw new Refused('person_required')
  if (use === 'writes' && token.is_read_only) throw new Refused('token_read_only')
  const { secret_hash: _, previous_hash: __, addresses: ___, ...record } = token
  const end = record.is_current ? record.secret_end : record.previous_end
  return {
    memberId: record.id,
    // Of no session: what belongs to one is closed to tokens.
    sessionId: record.token_id,
    record,
    rights: rightsOfLevels(levels),
    pendingEmail: undefined,
    // It took the proof of one to make the token, where the account has one.
    hasSecondFactor: record.has_factor,
    hasFactor: record.has_factor,
    hasFreshProof: false,
    // How the one before ended is not known where an earlier release replaced it.
    token: { id: record.token_id, end: end ?? '' },
  } satisfies KnownSession
}

/** The index found one of both; once more, in a time that says nothing. */
function isSame({ secret_hash, previous_hash }: KnownToken, given: string): boolean {
  const hash = Buffer.from(hashSecret(given))
  return [secret_hash, previous_hash ?? ''].some((each) => {
    const known = Buffer.from(each)
    return known.length === hash.length && timingSafeEqual(known, hash)
  })
}

function whyNot(token: KnownToken, hasLevels: boolean, ip: string): TokenRefusal | undefined {
  if (token.is_revoked) return 'revoked'
  if (token.is_expired) return 'expired'
  if (!token.active || !hasLevels) return 'maker'
  return isWithin(token.addresses, ip) ? undefined : 'address'
}

/**
 * 256 bits are not guessed, so that this limit is about work and noise: a client whose tokens fail is sent away, while a good
 * token from the same network goes on working.
 */
async function failed({ db, keys }: Services, ip: string): Promise<Refused> {
  const limit = { key: `api-token-failed ${clientOf(ip)}`, max: failedTokensMax, window: 15 * MINUTE }
  const { wait } = await countOne(db, keys, limit)
  return wait === undefined
    ? new Refused('token_invalid')
    : new Refused('rate_limited', { retryAfterSeconds: wait })
}
