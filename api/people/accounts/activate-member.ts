import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Consent } from '#contract/people/consents.ts'
import { recordActivation } from '../ambassadors/results/record-invitation.ts'
import { transaction } from '../../platform/db/database.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../platform/keys.ts'
import { insertConsents } from '../consents/consent.queries.ts'
import { requireEmailQuota } from '../../platform/mail/email-quota.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { normalizeCode } from '../../platform/text/readable-codes.ts'
import { getMemberById, lockMember, updateMemberRow } from '../members/member.queries.ts'
import { Refused } from '../../platform/refused.ts'
import { askForAdministratorPassword, awaitsConfiguredRights } from './grant-configured-rights.ts'
import { recordActivated } from './record-activated.ts'
import { originOf } from './origin-of.ts'
import { hasValidResetCode } from './reset-code.queries.ts'
import {
  findNamedInvitation,
  findPendingMember,
  replaceSignUps,
  consumeSignUp,
  wasUsed,
} from './sign-up.queries.ts'

/**
 * Wrong codes count against the client and never against the code, and a correct one is not subject to the
 * limit, so that others cannot lock out its owner.
 */
export const activateMember: Handler<typeof api.activateMember> = async (
  { params },
  { db, keys, config, request, answer },
) => {
  const codeHash = hashSecret(normalizeCode(params.code))
  const proof = randomSecret(32)
  const isActivated = await transaction(db, async (db) => {
    const memberId = await findPendingMember(db, codeHash, params.email)
    const before = memberId === undefined ? undefined : await lockMember(db, memberId)
    const signUp = memberId === undefined ? undefined : await consumeSignUp(db, codeHash, params.email)
    if (!signUp || !before) return wasUsed(db, codeHash, params.email)
    const invitationCode = signUp.invitation_code || (await findNamedInvitation(db, signUp))
    const activate = () =>
      updateMemberRow(db, signUp.member_id, {
        active: true,
        password_hash: signUp.password_hash,
        password_length_ok_for_staff: signUp.password_length_ok_for_staff,
        first_name: signUp.first_name,
        last_name: signUp.last_name,
        invitation_code: invitationCode,
        activated_with_hash: hashSecret(proof),
      })
    const member = await notingFourEyes(db, { keys, config }, before, activate)
    await recordActivated(db, before, member)
    await recordActivation(db, { keys, config }, member, {
      code: invitationCode,
      origin: originOf(db, request),
    })
    await insertConsents(db, member.id, signUp.consents as Consent[], {
      place: 'sign-up',
      client: signUp.consented_from,
      at: signUp.consented_at,
    })
    // Codes of other sign-ups with this address, perhaps a stranger's, must not change the password of an active account.
    await replaceSignUps(db, member.id)
    await askForAdministratorPassword(db, { keys, config }, member)
    answer.setActivationCookie(proof)
    return true
  })
  if (!isActivated)
    await requireWithinLimits(db, keys, [
      { key: `activation ${request.client}`, max: 30, window: 15 * MINUTE },
    ])
  return isActivated
}

export const readAdministratorLink: Handler<typeof api.readAdministratorLink> = async (
  _,
  { db, config, caller },
) => {
  const member = await getMemberById(db, caller.memberId)
  const isWaiting = await awaitsConfiguredRights(db, config, member)
  return { isWaiting, isSent: isWaiting && (await hasValidResetCode(db, member.id)) }
}

export const sendAdministratorLink: Handler<typeof api.sendAdministratorLink> = async (
  _,
  { db, keys, config, caller },
) => {
  const known = await getMemberById(db, caller.memberId)
  if (!(await awaitsConfiguredRights(db, config, known))) return { sent: false }
  const permit = { email: known.email, client: caller.memberId, sort: 'reset', ownerId: known.id } as const
  await requireEmailQuota(db, keys, { ...permit, of: 'account' })
  return transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    // The permit was for that address.
    if (!member?.active || member.email !== known.email) throw new Refused('conflict')
    return { sent: await askForAdministratorPassword(db, { keys, config }, member) }
  })
}
