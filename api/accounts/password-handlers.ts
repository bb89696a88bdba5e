import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import { staffPasswordLengthMin } from '#contract/fields.ts'
import { hasAnyStaffRight } from '#contract/level-of.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Config } from '../config.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { hashSecret, type Keys } from '../keys.ts'
import { takeMailPermit } from '../mail/mail-permit.ts'
import { sendMail } from '../mail/send-mail.ts'
import { Refused } from '../refused.ts'
import { deviceLife, rememberOnlyThisDevice } from '../sessions/known-device.queries.ts'
import { stopLostFactorOf } from '../sessions/lost-factors/end-lost-factor.ts'
import { deleteSessionsOfMember } from '../sessions/session.queries.ts'
import { requireWithinLimits, refund } from '../rate-limits/rate-limit.ts'
import { endCodesInMailbox } from './end-codes-in-mailbox.ts'
import { endWhatStrangersAdded } from './end-what-strangers-added.ts'
import { grantConfiguredRights } from './grant-configured-rights.ts'
import { newResetCode } from './new-reset-code.ts'
import {
  findMemberById,
  insertOrFindMember,
  lockMemberByEmail,
  noteMailboxPassword,
  updateMemberRow,
  type MemberRow,
  lockMember,
} from '../members/member.queries.ts'
import { resetLink, resetRequestLink } from '../site-links.ts'
import { requirePasswordLength, isLengthOkForStaff } from './password-rules.ts'
import { undoForNobody } from '../db/undo-for-nobody.ts'
import { isLivingResetCode, spendResetCode } from './reset-code.queries.ts'
import { rightsOf } from '../members/rights.ts'

/** Known and unknown addresses get the same answer after the same work; only a mail differs. */
export const requestPasswordReset: Handler<typeof api.requestPasswordReset> = async (
  { body },
  { db, keys, config, request },
) => {
  const { client, language } = request
  await requireWithinLimits(db, keys, [{ key: `ask-reset ${client}`, max: 20, window: 15 * MINUTE }])
  const isMailed = await takeMailPermit(db, keys, { email: body.email, client, sort: 'reset' })
  if (isMailed)
    await undoForNobody(db, async (db) => {
      // Locked, so that no link goes to an address that the member leaves at the same moment.
      const known = await lockMemberByEmail(db, body.email)
      const member = known ?? (await insertOrFindMember(db, body.email, language))
      const code = await newResetCode(db, member.id)
      await sendMail(db, keys, { email: member.email, language }, 'password-reset', {
        link: resetLink(config, member.id, code),
      })
      return { isForNobody: known === undefined }
    })
  return { sent: true }
}

const resetLimit = (client: string) => [{ key: `reset ${client}`, max: 30, window: 15 * MINUTE }]

/** For the page that a mailed link opens: whether its code works, without using it up. */
export const checkPasswordReset: Handler<typeof api.checkPasswordReset> = async (
  { body },
  { db, keys, config, request },
) => {
  await requireWithinLimits(db, keys, resetLimit(request.client))
  const isLiving = await isLivingResetCode(db, body.id, hashSecret(body.pwdresetcode))
  const member = isLiving ? await findMemberById(db, body.id) : undefined
  if (!member) throw new Refused('reset_code_invalid')
  await refund(db, keys, resetLimit(request.client))
  return { email: member.email, passwordLengthMin: minimumFor(member, config) }
}

/** One transaction: after a crash either the code still works or everything is done. */
export const executePasswordReset: Handler<typeof api.executePasswordReset> = async (
  { body },
  { db, keys, passwords, config, request, answer },
) => {
  const limit = resetLimit(request.client)
  await requireWithinLimits(db, keys, limit)
  requirePasswordLength(body.passwd, config.passwordLengthMin, 'passwd')
  const passwordHash = await passwords.hash(body.passwd)
  const deviceToken = await transaction(db, async (db) => {
    const member = await lockMember(db, body.id)
    if (!member || !(await spendResetCode(db, body.id, hashSecret(body.pwdresetcode))))
      throw new Refused('reset_code_invalid')
    // Checked after the code, so that nobody without a valid code learns who is staff. A refusal leaves the code usable.
    requirePasswordLength(body.passwd, minimumFor(member, config), 'passwd')
    const isDeactivated = !member.active && member.password_hash !== null
    // The mailed code verifies the address, so it activates the account, unless staff deactivated it.
    const updated = await setPassword(db, keys, config, member, {
      passwordHash,
      password: body.passwd,
      active: !isDeactivated,
    })
    await deleteSessionsOfMember(db, member.id)
    await endWhatStrangersAdded(db, { keys, config }, member)
    await noteMailboxPassword(db, member.id)
    if (updated.active) await grantConfiguredRights(db, config, updated)
    // Whoever the mailbox let in can sign in here, even while strangers use up the account's limit.
    return rememberOnlyThisDevice(db, member.id, request.deviceToken)
  })
  answer.setDeviceCookie(deviceToken, deviceLife)
  await refund(db, keys, limit)
  return { changed: true }
}

export const changePassword: Handler<typeof api.changePassword> = async (
  { body },
  { db, keys, passwords, config, caller, request, answer },
) => {
  caller.requireFactorProof()
  const limit = [{ key: `change-password ${caller.memberId}`, max: 10, window: 15 * MINUTE }]
  await requireWithinLimits(db, keys, limit)
  const known = await findMemberById(db, caller.memberId)
  requirePasswordLength(body.passwd, minimumFor(known, config, false), 'passwd')
  if (!(await passwords.verify(known?.password_hash, body.current))) throw new Refused('credentials_invalid')
  const passwordHash = await passwords.hash(body.passwd)
  const deviceToken = await transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    // Both may have changed while the hashes were computed.
    if (!member?.active || member.password_hash !== known?.password_hash)
      throw new Refused('credentials_invalid')
    await setPassword(db, keys, config, member, { passwordHash, password: body.passwd, active: true })
    await deleteSessionsOfMember(db, caller.memberId, caller.sessionId)
    return rememberOnlyThisDevice(db, caller.memberId, request.deviceToken)
  })
  answer.setDeviceCookie(deviceToken, deviceLife)
  await refund(db, keys, limit)
  return { changed: true }
}

/** Through the mailbox, an address of ADMIN_EMAILS is about to get rights of staff. */
function minimumFor(member: MemberRow | undefined, config: Config, isThroughMailbox = true): number {
  const isStaff =
    member !== undefined &&
    (hasAnyStaffRight(rightsOf(member)) || (isThroughMailbox && config.adminEmails.has(member.email)))
  return isStaff ? Math.max(staffPasswordLengthMin, config.passwordLengthMin) : config.passwordLengthMin
}

async function setPassword(
  db: Tx,
  keys: Keys,
  config: Config,
  member: MemberRow,
  change: { passwordHash: string; password: string; active: boolean },
): Promise<MemberRow> {
  const updated = await updateMemberRow(db, member.id, {
    password_hash: change.passwordHash,
    password_length_ok_for_staff: isLengthOkForStaff(change.password),
    active: change.active,
  })
  await endCodesInMailbox(db, member.id)
  // Who asked knew the old password.
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
