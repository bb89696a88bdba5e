import type { api } from '#contract/api.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { countPasskeyBegin, countPasskeyTry } from '../sign-in-limits.ts'
import { endLostFactorIfDue } from '../lost-factors/end-lost-factor.ts'
import { welcome } from '../complete-sign-in.ts'
import { refund } from '../../rate-limits/rate-limit.ts'
import { newChallenge, requestWith } from './challenge.ts'
import { acceptPasskey, verifyPasskey } from './verify-passkey.ts'
import { lockMember } from '../../members/member.queries.ts'

/** Needs no email address, so it can't reveal which addresses have an account. */
export const beginPasskeySignIn: Handler<typeof api.beginPasskeySignIn> = async (_, context) => {
  await countPasskeyBegin(context)
  return requestWith(context.config, await newChallenge(context.db, 'sign_in', null))
}

/** A passkey is two factors in one: the device, and the fingerprint, face, or PIN that unlocks it. */
export const finishPasskeySignIn: Handler<typeof api.finishPasskeySignIn> = async ({ body }, context) => {
  const { db, keys, config, answer } = context
  const limits = await countPasskeyTry(context)
  const verified = await verifyPasskey(db, config, body.credential, { purpose: 'sign_in', memberId: null })
  if (!verified) throw new Refused('passkey_invalid')
  const { signedIn, setCookies } = await transaction(db, async (db) => {
    const member = await lockMember(db, verified.memberId)
    if (member?.active) await endLostFactorIfDue(db, context, member.id)
    if (!member || !(await acceptPasskey(db, verified))) throw new Refused('passkey_invalid')
    if (!member.active) throw new Refused('member_inactive', { isClosed: true })
    return welcome(db, context, member.id, true)
  })
  await refund(db, keys, limits)
  setCookies(answer)
  return signedIn
}
