import { isIP } from 'node:net'
import { api } from '#contract/api.ts'
import { failedTokensMax, tokenCallsMax, type TokenRejection } from '#contract/people/api-tokens.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { tokenUseOf, type TokenUse } from '#contract/token-endpoints.ts'
import type { Authenticators } from '../../platform/http/admit.ts'
import type { KnownSession } from '../../platform/http/caller.ts'
import { clientOf, unmapped } from '../../platform/http/request-facts.ts'
import { hashSecret } from '../../platform/keys.ts'
import { familyOf, networkList, widerNetworkOf } from '../../platform/network-list.ts'
import { countOne, requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { findTokenBySecret, recordRejection, recordUse, type KnownToken } from './api-token.queries.ts'
import { isSecret } from './secret.ts'

const uses: ReadonlyMap<Endpoint, TokenUse> = new Map(
  Object.entries<Endpoint>(api).flatMap(([name, endpoint]) => {
    const use = tokenUseOf(name)
    return use ? [[endpoint, use] as const] : []
  }),
)

/**
 * The member of a token, and its current effective levels. The reason why one is refused is shown to its owner
 * in the console, not to the client, for whom all reasons look alike.
 */
export const admitToken: Authenticators['machine'] = async (services, given, endpoint, ip) => {
  const { db, keys } = services
  const token = isSecret(given) ? await findTokenBySecret(db, hashSecret(given)) : undefined
  if (!token) throw await failed(services, ip)
  const why = whyNot(token, ip)
  if (why) {
    await recordRejection(db, token.token_id, placeOf(ip), why)
    throw await failed(services, ip)
  }
  await requireWithinLimits(db, keys, [
    { key: `api-token ${token.token_id}`, max: tokenCallsMax, window: MINUTE },
  ])
  if (token.is_use_due)
    await recordUse(db, token.token_id, { place: placeOf(ip), isCurrent: token.is_current })
  const use = uses.get(endpoint)
  if (!use) throw new Refused('person_required')
  if (use === 'writes' && token.is_read_only) throw new Refused('token_read_only')
  const { addresses: _, end, ...record } = token
  return {
    memberId: record.id,
    // No session, so that calls bound to one are closed to tokens.
    sessionId: record.token_id,
    record,
    rights: {
      // A token is not a person, so it is never an administrator.
      isWriteAccessAdmin: false,
      manageNews: token.counting_news,
      manageEmployee: token.counting_employee,
      manageFinance: token.counting_finance,
      manageCoins: token.counting_coins,
    },
    pendingEmail: undefined,
    // Creating the token required a proof of one, if the account has one.
    hasSecondFactor: record.has_factor,
    hasFactor: record.has_factor,
    hasFreshProof: false,
    token: { id: record.token_id, end },
  } satisfies KnownSession
}

function whyNot(token: KnownToken, ip: string): TokenRejection | undefined {
  if (token.is_revoked) return 'revoked'
  if (token.is_expired) return 'expired'
  if (token.is_dead) return 'maker'
  return isWithin(token.addresses, ip) ? undefined : 'address'
}

/** Whether a client may use a token with these addresses and networks; an empty list allows any. */
function isWithin(networks: readonly string[], ip: string): boolean {
  const address = unmapped(ip)
  if (networks.length === 0 || isIP(address) === 0) return networks.length === 0
  return networkList(networks).check(address, familyOf(address))
}

/** The network of a client, for people to recognize, but not its exact address. */
function placeOf(ip: string): string {
  const client = clientOf(ip)
  if (isIP(client) === 4) return `${client.split('.').slice(0, 3).join('.')}.0/24`
  return widerNetworkOf(client) ?? ''
}

/**
 * 256 bits can't be guessed, so this limit only bounds work and noise: a client whose tokens fail is refused,
 * while a valid token from the same network keeps working.
 */
async function failed({ db, keys }: Services, ip: string): Promise<Refused> {
  const limit = { key: `api-token-failed ${clientOf(ip)}`, max: failedTokensMax, window: 15 * MINUTE }
  const { wait } = await countOne(db, keys, limit)
  return wait === undefined
    ? new Refused('token_invalid')
    : new Refused('rate_limited', { retryAfterSeconds: wait })
}
