import type { api } from '#contract/api.ts'
import { DAY, MINUTE } from '#contract/durations.ts'
import { transaction, type Database } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import type { Keys } from '../keys.ts'
import { findMemberByEmail, hasSignedInFrom, noteSignIn } from '../members/member.queries.ts'
import { findPendingPasswordHash } from '../members/sign-up.queries.ts'
import { Refused } from '../refused.ts'
import { countOnce, uncountOnce, type Limit } from '../throttle.ts'
import { startSession } from './start-session.ts'
import { lockMember } from './session.queries.ts'
import { acceptSecondFactor } from './second-factor.ts'
import { hasConfirmedTotp } from './totp.queries.ts'

/**
 * Unknown address and wrong password get the same answer in the same time: every judgement verifies two hashes, the
 * account's and that of a sign-up that still waits for its code, whether they exist or not.
 */
export const signIn: Handler<typeof api.signIn> = async (
  { body },
  { db, keys, passwords, request, answer },
) => {
  const limits = await countTry(db, keys, body.email, request.client)
  const member = await findMemberByEmail(db, body.email)
  const pendingHash = await findPendingPasswordHash(db, member?.id)
  const isRight = await passwords.verify(member?.password_hash, body.password)
  const isRightWhenActivated = await passwords.verify(pendingHash, body.password)
  if (!member || (!isRight && !isRightWhenActivated)) throw new Refused('credentials_invalid')
  if (!isRight || !member.active) throw new Refused('member_inactive')

  const needsFactor = await hasConfirmedTotp(db, member.id)
  // The right password without a code is a step of signing in, not a failure.
  if (needsFactor && !body.secondFactor) await uncountOnce(db, keys, limits)
  const { signedIn, setCookies } = await transaction(db, async (db) => {
    const current = await lockMember(db, member.id)
    // The password or the account may have changed while the hash was computed.
    if (!current?.active || current.password_hash !== member.password_hash)
      throw new Refused('credentials_invalid')
    if (needsFactor) await acceptSecondFactor(db, keys, member.id, body.secondFactor)
    await uncountOnce(db, keys, limits)
    await noteSignIn(db, member.id, keys.blind(request.client), request.language)
    return startSession(db, member.id, request)
  })
  setCookies(answer)
  return signedIn
}

/**
 * Counts the try before it is judged; success takes the count back. The limit over all clients spares those that the
 * member signed in from before, so that strangers elsewhere never lock the owner out.
 */
async function countTry(db: Database, keys: Keys, email: string, client: string): Promise<Limit[]> {
  const perClient: Limit[] = [
    { key: `sign-in ${email} ${client}`, max: 10, window: 15 * MINUTE },
    { key: `sign-in ${client}`, max: 50, window: 15 * MINUTE },
  ]
  const perAccount: Limit = { key: `sign-in ${email}`, max: 100, window: DAY }
  const isKnown = await hasSignedInFrom(db, email, keys.blind(client))
  const limits = isKnown ? perClient : [...perClient, perAccount]
  const retryAfterSeconds = await countOnce(db, keys, limits)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
  return limits
}
