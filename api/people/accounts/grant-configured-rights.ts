import { staffPasswordLengthMin } from '#contract/platform/fields.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import type { Keys } from '../../platform/keys.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import {
  listActiveAdmins,
  updateMemberRow,
  type MemberChange,
  type MemberRow,
} from '../members/member.queries.ts'
import { deleteSessionsOfMember } from '../sessions/session.queries.ts'
import {
  accountPasswordLink,
  choosePasswordLink,
  consoleMemberLink,
  resetRequestLink,
} from '../../platform/site-links.ts'
import { hasConfiguredGrant, recordConfiguredGrant } from './configured-grant.queries.ts'
import { newResetCode } from './emailed-codes.ts'

const allRights: MemberChange = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

const isWaited = (config: Config, member: MemberRow): boolean =>
  config.adminEmails.has(member.email) && !member.is_write_access_admin

/** Whether the member gets the rights of ADMIN_EMAILS by choosing a password by email. */
export const awaitsConfiguredRights = async (db: Tx, config: Config, member: MemberRow): Promise<boolean> =>
  isWaited(config, member) && !(await hasConfiguredGrant(db, member.email))

/**
 * Members in ADMIN_EMAILS become administrators only when they set a password by email: a sign-up with that
 * address may be a stranger's, even if the owner of the mailbox used its code. This happens once per address:
 * withdrawn rights are not restored, and the other administrators are notified.
 */
export async function grantConfiguredRights(
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  member: MemberRow,
): Promise<void> {
  if (!isWaited(config, member) || !member.password_length_ok_for_staff) return
  if (!(await recordConfiguredGrant(db, member.email))) return
  const others = await listActiveAdmins(db)
  await notingFourEyes(db, { keys, config }, { ...member, ...allRights }, () =>
    updateMemberRow(db, member.id, allRights),
  )
  // An earlier session would keep the longer lifetime of a member's session.
  await deleteSessionsOfMember(db, member.id)
  await recordAudit(db, {
    actorId: null,
    action: 'rights-granted-by-setting',
    subjectKind: 'member',
    subjectId: member.id,
  })
  for (const other of others)
    await sendMail(db, keys, other, 'administrator-by-setting', {
      name: member.display_name || member.email,
      email: member.email,
      link: consoleMemberLink(config, member.id),
    })
}

/** A withdrawn right stays withdrawn, although the setting still names the address. */
export async function recordWithdrawnRight(
  db: Tx,
  config: Config,
  before: MemberRow,
  after: MemberRow,
): Promise<void> {
  const isWithdrawn = before.is_write_access_admin && !after.is_write_access_admin
  if (isWithdrawn && config.adminEmails.has(after.email)) await recordConfiguredGrant(db, after.email)
}

/** After the activation, and on request: emails the link to set the password that grants the rights. */
export async function askForAdministratorPassword(
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  member: MemberRow,
): Promise<boolean> {
  if (!(await awaitsConfiguredRights(db, config, member))) return false
  await sendMail(db, keys, member, 'administrator-password', {
    min: String(staffPasswordLengthMin),
    link: choosePasswordLink(config, member.id, await newResetCode(db, member.id)),
    resetLink: resetRequestLink(config),
  })
  return true
}

/** Notifies the member that the rights take effect once the password has the length required of staff. */
export const askForStaffPassword = (db: Tx, keys: Keys, config: Config, member: MemberRow): Promise<void> =>
  sendMail(db, keys, member, 'staff-password-needed', {
    min: String(staffPasswordLengthMin),
    link: accountPasswordLink(config),
  })
