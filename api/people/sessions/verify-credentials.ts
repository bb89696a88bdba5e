import type { RequestFacts } from '../../platform/http/handler.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { countTry, type CountedTry } from './sign-in-limits.ts'

/**
 * An unknown address and a wrong password get the same answer in the same time: every attempt computes one
 * hash, with the salt shared by the account and all its waiting sign-ups, whether they exist or not, and one of
 * each kind of imported members until they all have signed in. The attempt is counted; `limits` are for
 * refunds.
 */
export async function verifyCredentials(
  context: Services & { request: RequestFacts },
  given: { email: string; password: string },
): Promise<Pick<CountedTry, 'limits' | 'hasFactor' | 'isTokenKnown'> & { member: MemberRow }> {
  const counted = await countTry(context, given.email)
  const { member, pendingHashes, barred, isSpared } = counted
  const [isRight, ...pending] = await context.passwords.verifyEach(
    [member?.password_hash, ...pendingHashes],
    given.password,
    counted.isKnown ? 'known' : 'sign-in',
    { client: context.request.client, importedKinds: counted.importedKinds },
  )
  const isRightWhenActivated = pending.includes(true)
  // After the hash, so that the time reveals no more than the answer.
  if (barred !== undefined && !(isRight && isSpared))
    throw new Refused('rate_limited', { retryAfterSeconds: barred })
  if (!member || (!isRight && !isRightWhenActivated)) throw new Refused('credentials_invalid')
  if (!isRight || !member.active) throw new Refused('member_inactive', { isClosed: isRight === true })
  return { ...counted, member }
}
