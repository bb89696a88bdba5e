import type { api } from '#contract/api.ts'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import { recordDeletedSignUp } from '../ambassadors/results/record-invitation.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { isRefusedByIndex, isRefusedByReference, transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { writeOrRollBack } from '../../platform/db/roll-back-if-unknown.ts'
import { hashSecret } from '../../platform/keys.ts'
import { mailKinds } from '../../platform/mail/mail-kinds.ts'
import { requireEmailQuota, consumeEmailQuota } from '../../platform/mail/email-quota.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { Refused } from '../../platform/refused.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { newEmailCode, normalizeCode } from '../../platform/text/readable-codes.ts'
import { revokeEmailedCodes } from './emailed-codes.ts'
import { cancelEmailChange, holdEmailChange, consumeEmailChange } from './email-change.queries.ts'
import {
  deleteUnprovedMember,
  findMemberByEmail,
  isProved,
  lockMember,
  lockUnprovedMember,
  recordAddressVerified,
  updateMemberRow,
  type MemberRow,
} from '../members/member.queries.ts'
import { resetRequestLink, signInLink } from '../../platform/site-links.ts'
import { mailThatAccountExists } from './mail-that-account-exists.ts'
import { presentUser } from './present-user.ts'

const emailCodeLife = mailKinds['email-confirm'].expiresAfter

/**
 * Stores the new address until its code is confirmed; the current address cancels that. Only the emails differ
 * if the address already belongs to an account. Resolves to whether anything changed.
 */
export async function requestEmailChange(
  db: Tx,
  { keys, config, request: { language } }: Pick<MemberContext, 'keys' | 'config' | 'request'>,
  member: MemberRow,
  newEmail: string,
): Promise<boolean> {
  if (newEmail === member.email) return cancelEmailChange(db, member.id)
  await requireWithinLimits(db, keys, [{ key: `email-change ${member.id}`, max: 10, window: HOUR }])
  const permit = { email: newEmail, client: member.id, sort: 'email-change' } as const
  // A code that is not emailed must not replace one that was.
  await requireEmailQuota(db, keys, { ...permit, of: 'new' })
  const code = newEmailCode()
  await holdEmailChange(db, {
    memberId: member.id,
    newEmail,
    codeHash: hashSecret(normalizeCode(code)),
    life: emailCodeLife,
  })
  const holder = await findMemberByEmail(db, newEmail)
  const links = { link: signInLink(config), resetLink: resetRequestLink(config) }
  const account = holder && isProved(holder) ? holder : undefined
  const isRoom = await consumeEmailQuota(db, keys, { ...permit, of: account ? 'account' : 'uncounted' })
  await writeOrRollBack(db, isRoom || !account, () =>
    account
      ? mailThatAccountExists(db, { keys, config }, account, language)
      : sendMail(db, keys, { email: newEmail, language }, 'email-confirm', { code }),
  )
  await sendMail(db, keys, member, 'email-change-requested', links)
  return true
}

export const confirmEmail: Handler<typeof api.confirmEmail> = async (
  { body },
  { db, keys, config, caller },
) => {
  await requireWithinLimits(db, keys, [
    { key: `confirm-email ${caller.memberId}`, max: 10, window: 15 * MINUTE },
  ])
  try {
    return await transaction(db, async (db) => {
      // A concurrent password reset waits, and finds the new address.
      const before = await lockMember(db, caller.memberId)
      const newEmail = await consumeEmailChange(db, caller.memberId, hashSecret(normalizeCode(body.code)))
      if (!before?.active || newEmail === undefined) throw new Refused('code_invalid')
      const after = await setEmail(db, { keys }, before, { newEmail, actorId: before.id })
      return presentUser(db, config, after)
    })
  } catch (error) {
    if (isAddressTaken(error)) throw new Refused('code_invalid')
    throw error
  }
}

/** The owner of the new address verified it. The caller has locked the member. */
export async function setEmail(
  db: Tx,
  { keys }: Pick<MemberContext, 'keys'>,
  before: MemberRow,
  { newEmail, actorId }: { newEmail: string; actorId: string | null },
): Promise<MemberRow> {
  const unproved = await lockUnprovedMember(db, newEmail)
  if (unproved) {
    await recordDeletedSignUp(db, unproved.id)
    await deleteUnprovedMember(db, unproved.id)
  }
  // Before the address changes, because an email contains the phrase of the member with that address.
  await sendMail(db, keys, before, 'email-changed')
  await recordAddressVerified(db, before.id)
  const after = await updateMemberRow(db, before.id, { email: newEmail })
  await revokeEmailedCodes(db, before.id)
  await recordAudit(db, {
    actorId,
    action: 'email-changed',
    subjectKind: 'member',
    subjectId: before.id,
  })
  return after
}

/** Someone else verified the address first, or staff have records under it. */
export const isAddressTaken = (error: unknown): boolean =>
  isRefusedByIndex(error, 'member_email_key') || isRefusedByReference(error)
