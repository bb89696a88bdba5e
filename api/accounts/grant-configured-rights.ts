import { staffPasswordLengthMin } from '#contract/fields.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import { updateMemberRow, type MemberChange, type MemberRow } from '../members/member.queries.ts'
import { deleteSessionsOfMember } from '../sessions/session.queries.ts'
import { resetLink, resetRequestLink } from '../site-links.ts'
import { newResetCode } from './new-reset-code.ts'

const allRights: MemberChange = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

const isWaited = (config: Config, member: MemberRow): boolean =>
  config.adminEmails.has(member.email) && !member.is_write_access_admin

/**
 * Members of ADMIN_EMAILS become administrators when they set a password through the mailbox, and in no other way: a sign-up
 * with that address may be a stranger's, even if the owner of the mailbox used its code.
 */
export async function grantConfiguredRights(db: Tx, config: Config, member: MemberRow): Promise<void> {
  if (!isWaited(config, member) || !member.password_length_ok_for_staff) return
  await updateMemberRow(db, member.id, allRights)
  // A session that began earlier would keep the longer lifetime of a member's session.
  await deleteSessionsOfMember(db, member.id)
  await recordAudit(db, {
    actorId: null,
    action: 'rights-granted-by-setting',
    subjectKind: 'member',
    subjectId: member.id,
  })
}

/** After the activation, the link that sets the password which brings the rights. */
export async function askForAdministratorPassword(
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  member: MemberRow,
): Promise<void> {
  if (!isWaited(config, member)) return
  await sendMail(db, keys, member, 'administrator-password', {
    min: String(staffPasswordLengthMin),
    link: resetLink(config, member.id, await newResetCode(db, member.id)),
    resetLink: resetRequestLink(config),
  })
}

/** Notifies the member that the rights take effect once the password has the length required of staff. */
export const askForStaffPassword = (db: Tx, keys: Keys, config: Config, member: MemberRow): Promise<void> =>
  sendMail(db, keys, member, 'staff-password-needed', {
    min: String(staffPasswordLengthMin),
    link: resetRequestLink(config),
  })
