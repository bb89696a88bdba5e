import type { RequestFacts } from '../http/handler.ts'
import { findMemberByEmail, type MemberRow } from '../members/member.queries.ts'
import { listPendingPasswordHashes } from '../members/pending-password.queries.ts'
import type { Limit } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'
import type { Services } from '../services.ts'
import { countTry } from './sign-in-limits.ts'

/**
 * Unknown address and wrong password get the same answer in the same time: every attempt computes two hashes, one for the
 * account's and one for all sign-ups that still wait for their codes, whether they exist or not. The try is counted; `limits`
 * are for giving it back.
 */
export async function verifyCredentials(
  context: Services & { request: RequestFacts },
  given: { email: string; password: string },
): Promise<{ member: MemberRow; limits: Limit[] }> {
  const { db, passwords } = context
  const { limits, isKnown, barred, isSpared } = await countTry(context, given.email)
  const lane = isKnown ? 'known' : 'sign-in'
  const { client } = context.request
  const member = await findMemberByEmail(db, given.email)
  const pendingHashes = await listPendingPasswordHashes(db, member?.id)
  const isRight = await passwords.verify(member?.password_hash, given.password, lane, client)
  const isRightWhenActivated = await passwords.verifyAny(pendingHashes, given.password, lane, client)
  // Not before the hashes: the time tells no more than the answer.
  if (barred !== undefined && !(isRight && isSpared))
    throw new Refused('rate_limited', { retryAfterSeconds: barred })
  if (!member || (!isRight && !isRightWhenActivated)) throw new Refused('credentials_invalid')
  if (!isRight || !member.active) throw new Refused('member_inactive', { isClosed: isRight })
  return { member, limits }
}
