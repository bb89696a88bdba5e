import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { staffPasswordLengthMin } from '#contract/platform/fields.ts'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import { recordActivation } from '../ambassadors/results/record-invitation.ts'
import { revokeTokensOfMember } from '../api-tokens/revoke-tokens.ts'
import { transaction, type Database, type Tx } from '../../platform/db/database.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import type { Handler, RequestFacts } from '../../platform/http/handler.ts'
import { hashSecret, type Keys } from '../../platform/keys.ts'
import { refundLinkQuota } from '../../platform/mail/email-quota.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { Refused } from '../../platform/refused.ts'
import { deviceLife, rememberOnlyThisDevice } from '../sessions/known-device.queries.ts'
import { stopLostFactorOf } from '../sessions/lost-factors/end-lost-factor.ts'
import { deleteSessionsOfMember } from '../sessions/session.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { cancelEmailChange } from './email-change.queries.ts'
import { grantConfiguredRights } from './grant-configured-rights.ts'
import { grantInvitedRights } from './grant-invited-rights.ts'
import { newResetCode, revokeEmailedCodes } from './emailed-codes.ts'
import {
  findMemberById,
  recordAddressVerified,
  updateMemberRow,
  type MemberRow,
  lockMember,
} from '../members/member.queries.ts'
import { lockOrInsertMember } from '../members/lock-or-insert-member.queries.ts'
import { saltToKeep } from '../members/pending-password.queries.ts'
import { deleteClientsOfMember, recordClient } from '../members/sign-in.queries.ts'
import { resetLink, resetRequestLink } from '../../platform/site-links.ts'
import { recordActivated } from './record-activated.ts'
import { requirePasswordLength, isLengthOkForStaff } from './password-rules.ts'
import { rollBackIfUnknown } from '../../platform/db/roll-back-if-unknown.ts'
import { deleteAntiPhishingPhrase } from '../../platform/mail/anti-phishing-phrase.queries.ts'
import { originOf } from './origin-of.ts'
import { isValidResetCode, consumeResetCode } from './reset-code.queries.ts'
import { findOpenInvitation } from './staff-invitation.queries.ts'
import { consumeAnonymousQuota } from './consume-anonymous-quota.ts'
import { rightsOf } from '../members/rights.ts'
import { revokeFactors } from '../sessions/factors.ts'
import type { MailContext } from '../sessions/notify-member.ts'

/** Known and unknown addresses get the same answer after the same work; only an email differs. */
export const requestPasswordReset: Handler<typeof api.requestPasswordReset> = async (
  { body },
  { db, keys, config, request },
) => {
  const { client, language } = request
  await requireWithinLimits(db, keys, [{ key: `ask-reset ${client}`, max: 20, window: 15 * MINUTE }])
  const permit = await consumeAnonymousQuota(db, keys, { email: body.email, client, sort: 'reset' })
  await rollBackIfUnknown(db, async (db) => {
    // Locked, so that no link is sent to an address that the member is changing.
    const { member } = await lockOrInsertMember(db, body.email, language)
    const code = await newResetCode(db, member.id)
    await sendMail(db, keys, { email: member.email, language }, 'password-reset', {
      link: resetLink(config, member.id, code),
    })
    // The permit was for emails to that owner, or to nobody.
    return { isForNobody: !permit.isMailed || member.id !== permit.ownerId }
  })
  return { sent: true }
}

/**
 * Checked first, so that a wrong code costs no hash. Only wrong ones are counted: a correct code is never
 * refused because others used up a client's limit.
 */
async function requireValidCode(
  { db, keys, request }: { db: Database; keys: Keys; request: RequestFacts },
  { id, pwdresetcode }: { id: string; pwdresetcode: string },
): Promise<void> {
  if (await isValidResetCode(db, id, hashSecret(pwdresetcode))) return
  await requireWithinLimits(db, keys, [{ key: `reset ${request.client}`, max: 30, window: 15 * MINUTE }])
  throw new Refused('reset_code_invalid')
}

/** For the page of an emailed link: whether its code works, without consuming it. */
export const checkPasswordReset: Handler<typeof api.checkPasswordReset> = async (
  { body },
  { db, keys, config, request },
) => {
  await requireValidCode({ db, keys, request }, body)
  const member = await findMemberById(db, body.id)
  if (!member) throw new Refused('reset_code_invalid')
  const invitation = await findOpenInvitation(db, member)
  return {
    email: member.email,
    passwordLengthMin: minimumThroughMailbox(member, config, invitation),
    ...(invitation && { invitation: { by: invitation.inviter_name ?? '', ...rightsOf(invitation) } }),
  }
}

/**
 * A reset by email proves ownership of the address; earlier users of an unverified account may have been
 * strangers who signed up with it. Their factors and API tokens are removed, their devices are forgotten, and
 * their phrase is deleted. In a verified account nothing is removed, so that access to someone's email does not
 * open an account with a factor.
 */
async function revokeUnverifiedCredentials(
  db: Tx,
  context: MailContext,
  { id, address_proved_at }: MemberRow,
): Promise<void> {
  if (address_proved_at) return
  await revokeFactors(db, context, id)
  await revokeTokensOfMember(db, id)
  await deleteClientsOfMember(db, id)
  await deleteAntiPhishingPhrase(db, id)
}

/** One transaction: after a crash either the code still works or everything is done. */
export const executePasswordReset: Handler<typeof api.executePasswordReset> = async (
  { body },
  { db, keys, passwords, config, request, answer },
) => {
  requirePasswordLength(body.passwd, config.passwordLengthMin, 'passwd')
  await requireValidCode({ db, keys, request }, body)
  // After the code, so that nobody without a correct one learns who is staff; before the hash, so that one code
  // can't cause many.
  const known = await findMemberById(db, body.id)
  const invited = known && (await findOpenInvitation(db, known))
  requirePasswordLength(body.passwd, minimumThroughMailbox(known, config, invited), 'passwd')
  const salt = await saltToKeep(db, body.id)
  const passwordHash = await passwords.hash(body.passwd, 'change', salt, request.client)
  const { deviceToken, email } = await transaction(db, async (db) => {
    const member = await lockMember(db, body.id)
    if (!member || member.erased_at || !(await consumeResetCode(db, body.id, hashSecret(body.pwdresetcode))))
      throw new Refused('reset_code_invalid')
    // They may have become staff meanwhile. A refusal leaves the code valid.
    const invitation = await findOpenInvitation(db, member)
    requirePasswordLength(body.passwd, minimumThroughMailbox(member, config, invitation), 'passwd')
    // The emailed code verifies the address, so it activates the account, unless staff closed it.
    const updated = await setPassword(db, { keys, config }, member, {
      passwordHash,
      password: body.passwd,
      active: member.closed_at === null,
    })
    await recordActivated(db, member, updated)
    await revokeEmailedCodes(db, member.id)
    await deleteSessionsOfMember(db, member.id)
    await revokeUnverifiedCredentials(db, { keys, config }, member)
    await recordAddressVerified(db, member.id)
    if (updated.active && !member.active && member.password_hash === null)
      await recordActivation(db, { keys, config }, updated, {
        code: undefined,
        origin: originOf(db, request),
      })
    if (updated.active) {
      await grantConfiguredRights(db, { keys, config }, updated)
      await grantInvitedRights(db, { keys, config }, member.id)
    }
    // A member who came by email can sign in here, with or without cookies, even while strangers use up the
    // account's limit.
    await recordClient(db, member.id, keys.blind(request.client))
    const deviceToken = await rememberOnlyThisDevice(db, member.id, request.deviceToken)
    return { deviceToken, email: member.email }
  })
  // After the transaction, which would lock the counters.
  await refundLinkQuota(db, keys, {
    email,
    client: request.client,
    of: 'account',
    ownerId: body.id,
  })
  answer.setDeviceCookie(deviceToken, deviceLife)
  return { changed: true }
}

/** Emailed links stay valid: someone who knows the password must not lock out the owner of the mailbox. */
export const changePassword: Handler<typeof api.changePassword> = async (
  { body },
  { db, keys, passwords, config, caller, request, answer },
) => {
  caller.requireFactorProof()
  await requireWithinLimits(db, keys, [
    { key: `change-password ${caller.memberId}`, max: 10, window: 15 * MINUTE },
  ])
  const known = await findMemberById(db, caller.memberId)
  requirePasswordLength(body.passwd, minimumFor(known, config), 'passwd')
  if (!(await passwords.verify(known?.password_hash, body.current, 'known', request.client)))
    throw new Refused('credentials_invalid')
  const salt = await saltToKeep(db, caller.memberId)
  const passwordHash = await passwords.hash(body.passwd, 'change', salt, request.client)
  const deviceToken = await transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    // Both may have changed while the hashes were computed.
    if (!member?.active || member.password_hash !== known?.password_hash)
      throw new Refused('credentials_invalid')
    // They may have become staff meanwhile.
    requirePasswordLength(body.passwd, minimumFor(member, config), 'passwd')
    await setPassword(db, { keys, config }, member, { passwordHash, password: body.passwd, active: true })
    // Another user of the account may have requested a change of address.
    await cancelEmailChange(db, member.id)
    await deleteSessionsOfMember(db, caller.memberId, caller.sessionId)
    return rememberOnlyThisDevice(db, caller.memberId, request.deviceToken, caller.hasSecondFactor)
  })
  answer.setDeviceCookie(deviceToken, deviceLife)
  return { changed: true }
}

/** A password set by email also grants the rights of ADMIN_EMAILS or of an invitation. */
const minimumThroughMailbox = (
  member: MemberRow | undefined,
  config: Config,
  invitation: object | undefined,
): number =>
  minimumFor(
    member,
    config,
    invitation !== undefined || (member !== undefined && config.adminEmails.has(member.email)),
  )

function minimumFor(member: MemberRow | undefined, config: Config, becomesStaff = false): number {
  const isStaff = becomesStaff || (member !== undefined && hasAnyStaffRight(rightsOf(member)))
  return isStaff ? Math.max(staffPasswordLengthMin, config.passwordLengthMin) : config.passwordLengthMin
}

async function setPassword(
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  member: MemberRow,
  change: { passwordHash: string; password: string; active: boolean },
): Promise<MemberRow> {
  const updated = await notingFourEyes(db, { keys, config }, member, () =>
    updateMemberRow(db, member.id, {
      password_hash: change.passwordHash,
      password_length_ok_for_staff: isLengthOkForStaff(change.password),
      active: change.active,
    }),
  )
  // Stops an account recovery, because the caller knew the old password.
  await stopLostFactorOf(db, { keys, config }, member.id)
  await sendMail(db, keys, member, 'password-changed', { resetLink: resetRequestLink(config) })
  await recordAudit(db, {
    actorId: member.id,
    action: 'password-changed',
    subjectKind: 'member',
    subjectId: member.id,
  })
  return updated
}
