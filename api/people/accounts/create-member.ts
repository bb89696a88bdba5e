import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { recordSignUp } from '../ambassadors/results/record-invitation.ts'
import { runAndRollBack, transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../platform/keys.ts'
import { mailKinds } from '../../platform/mail/mail-kinds.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { isCurrent } from '../consents/consent.rules.ts'
import { newActivationCode, normalizeCode } from '../../platform/text/readable-codes.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { signUpSalt } from '../members/pending-password.queries.ts'
import { isProved, type MemberRow } from '../members/member.queries.ts'
import { lockOrInsertMember } from '../members/lock-or-insert-member.queries.ts'
import { activationLink } from '../../platform/site-links.ts'
import { mailThatAccountExists } from './mail-that-account-exists.ts'
import { requirePasswordLength, isLengthOkForStaff } from './password-rules.ts'
import { originOf } from './origin-of.ts'
import { insertSignUp } from './sign-up.queries.ts'
import { consumeAnonymousQuota } from './consume-anonymous-quota.ts'
import { writeOrRollBack } from '../../platform/db/roll-back-if-unknown.ts'

export const activationLife = mailKinds.activation.expiresAfter

/**
 * Does the same work and gives the same answer for a new and for a known address. For a known one the password
 * is stored too, under a code that is never sent: sign-in then treats both alike, and the row expires with its
 * code. Codes of other sign-ups with the address stay valid.
 */
export const createMember: Handler<typeof api.createMember> = async (
  { body },
  { db, content, keys, passwords, config, request },
) => {
  requirePasswordLength(body.password, config.passwordLengthMin, 'password')
  const { client, language } = request
  await requireWithinLimits(db, keys, [{ key: `sign-up ${client}`, max: 100, window: 15 * MINUTE }])
  const salt = await signUpSalt(db, keys, body.email)
  const passwordHash = await passwords.hash(body.password, 'sign-up', salt, client)
  const answer = { email: body.email, active: false as const }
  const permit = await consumeAnonymousQuota(db, keys, { email: body.email, client, sort: 'sign-up' })
  if (!permit.isServed) return answer
  const code = newActivationCode()
  await transaction(db, async (db) => {
    const { member } = await lockOrInsertMember(db, body.email, language)
    await insertSignUp(
      db,
      {
        memberId: member.id,
        codeHash: hashSecret(isProved(member) ? randomSecret(32) : normalizeCode(code)),
        passwordHash,
        passwordLengthOkForStaff: isLengthOkForStaff(body.password),
        firstName: body.firstName ?? '',
        lastName: body.lastName ?? '',
        invitationCode: body.invitationCode ?? '',
        // A form opened before a version changed is accepted: the member is asked for the new version after
        // signing in.
        consents: (body.consents ?? []).filter((each) => isCurrent(content, each)),
        consentedFrom: client,
      },
      activationLife,
    )
    if (body.invitationCode)
      await recordInvitation(db, member, () =>
        recordSignUp(db, { keys, config }, member, {
          code: body.invitationCode!,
          origin: originOf(db, request),
        }),
      )
    return writeOrRollBack(db, permit.isMailed || !isProved(member), () =>
      isProved(member)
        ? mailThatAccountExists(db, { keys, config }, member, language)
        : sendMail(db, keys, { email: member.email, language }, 'activation', {
            link: activationLink(config, member.email, code),
            code,
          }),
    )
  })
  return answer
}

/**
 * The same work is done and rolled back for a known address, so that its duration does not reveal who has an
 * account.
 */
async function recordInvitation(db: Tx, member: MemberRow, note: () => Promise<void>): Promise<void> {
  if (isProved(member)) await runAndRollBack(db, note)
  else await note()
}
