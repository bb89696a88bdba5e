import type { LevelValue } from '#contract/people/members.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Keys } from '../../platform/keys.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { consoleMemberLink } from '../../platform/site-links.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import { getMemberById, listActiveAdmins, updateMemberRow } from '../members/member.queries.ts'
import { deleteSessionsOfMember } from '../sessions/session.queries.ts'
import { acceptInvitation, findOpenInvitation } from './staff-invitation.queries.ts'

const rightLevels = ['manage_news', 'manage_employee', 'manage_finance', 'manage_coins'] as const

/**
 * Invited colleagues get their rights when they set a password by email, because only that proves that the mailbox is
 * theirs: a sign-up with the address may be a stranger's. Every administrator is notified.
 */
export async function grantInvitedRights(
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  memberId: string,
): Promise<void> {
  // Read again, because the setting may just have granted rights.
  const member = await getMemberById(db, memberId)
  if (!member.password_length_ok_for_staff) return
  const invitation = await findOpenInvitation(db, member)
  if (!invitation) return
  await acceptInvitation(db, invitation.id)
  const admins = await listActiveAdmins(db)
  // The account may have got rights in another way meanwhile.
  const granted = {
    is_write_access_admin: member.is_write_access_admin || invitation.is_write_access_admin,
    ...Object.fromEntries(
      rightLevels.map((level) => [level, Math.max(member[level], invitation[level]) as LevelValue]),
    ),
  }
  await notingFourEyes(db, { keys, config }, { ...member, ...granted }, () =>
    updateMemberRow(db, member.id, granted),
  )
  await deleteSessionsOfMember(db, member.id)
  await recordAudit(db, {
    actorId: member.id,
    action: 'staff-invitation-accepted',
    subjectKind: 'member',
    subjectId: member.id,
  })
  for (const admin of admins)
    await sendMail(db, keys, admin, 'staff-joined', {
      by: invitation.inviter_name ?? '',
      email: member.email,
      link: consoleMemberLink(config, member.id),
    })
}
