import type { api } from '#contract/api.ts'
import { DAY } from '#contract/durations.ts'
import type { Consent } from '#contract/consents.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { hashSecret, randomSecret } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import { isCurrent } from '../consents/consent.rules.ts'
import { newActivationCode, normaliseCode } from '../readable-codes.ts'
import { answerInConstantTime } from './answer-in-constant-time.ts'
import { insertOrFindMember, lockMemberByEmail, type MemberRow } from '../members/member.queries.ts'
import { activationLink, resetRequestLink, signInLink } from '../site-links.ts'
import { requirePasswordLength, isLengthOkForStaff } from './password-rules.ts'
import { findLatestSignUp, insertSignUp, replaceSignUps } from './sign-up.queries.ts'

export const activationLife = DAY

/**
 * Does the same work and gives the same answer for a new and for a known address. For a known one the password is stored
 * too, under a code that is never sent: sign-in then treats both alike, and the row expires with its code.
 */
export const createMember: Handler<typeof api.createMember> = async (
  { body },
  { db, keys, passwords, config, request },
) => {
  requirePasswordLength(body.password, config.passwordLengthMin, 'password')
  const passwordHash = await passwords.hash(body.password, 'sign-up')
  const code = newActivationCode()
  await transaction(db, async (db) => {
    const member = await insertOrFindMember(db, body.email, request.language)
    await insertSignUp(
      db,
      {
        memberId: member.id,
        codeHash: hashSecret(isKnown(member) ? randomSecret(32) : normaliseCode(code)),
        passwordHash,
        passwordLengthOkForStaff: isLengthOkForStaff(body.password),
        firstName: body.firstName ?? '',
        lastName: body.lastName ?? '',
        invitationCode: body.invitationCode ?? '',
        // A form that was open while a version changed is accepted: the member is asked for the new version after signing in.
        consents: (body.consents ?? []).filter(isCurrent),
        consentedFrom: request.client,
      },
      activationLife,
    )
    if (isKnown(member))
      await sendMail(db, keys, { email: member.email, language: request.language }, 'already-member', {
        link: signInLink(config),
        resetLink: resetRequestLink(config),
      })
    else
      await sendMail(db, keys, { email: member.email, language: request.language }, 'activation', {
        link: activationLink(config, member.email, code),
        code,
      })
  })
  return { email: body.email, active: false }
}

/** A member who has verified the address, even if staff deactivated the account: signing up again must not reactivate it. */
const isKnown = (member: MemberRow): boolean => member.active || member.password_hash !== null

/** Sends a new code for the newest sign-up of the address; older codes stop working. The response time reveals nothing. */
export const resendActivation: Handler<typeof api.resendActivation> = async (
  { body },
  { db, keys, config, request },
) => {
  const code = newActivationCode()
  const work = transaction(db, async (db) => {
    const member = await lockMemberByEmail(db, body.email)
    if (!member || isKnown(member)) return
    const signUp = await findLatestSignUp(db, member.id)
    if (!signUp) return
    await replaceSignUps(db, member.id)
    await insertSignUp(
      db,
      {
        memberId: member.id,
        codeHash: hashSecret(normaliseCode(code)),
        passwordHash: signUp.password_hash,
        passwordLengthOkForStaff: signUp.password_length_ok_for_staff,
        firstName: signUp.first_name,
        lastName: signUp.last_name,
        invitationCode: signUp.invitation_code,
        consents: signUp.consents as Consent[],
        consentedAt: signUp.consented_at,
        consentedFrom: signUp.consented_from,
      },
      activationLife,
    )
    await sendMail(db, keys, { email: member.email, language: request.language }, 'activation', {
      link: activationLink(config, member.email, code),
      code,
    })
  })
  await answerInConstantTime(work)
  return { sent: true }
}
