import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { staffNameWithAddress } from '../../platform/db/expressions.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Keys } from '../../platform/keys.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { Refused } from '../../platform/refused.ts'
import { consoleMemberLink } from '../../platform/site-links.ts'
import { getMemberById, listActiveAdmins, type MemberRow } from './member.queries.ts'
import { rightsOf } from './rights.ts'

/**
 * Granted rights count even before they are effective: a colleague's account must not be closed before they
 * sign in.
 */
export const isStaffAccount = (member: MemberRow): boolean => hasAnyStaffRight(rightsOf(member))

/** Only an administrator can lock out a colleague. */
export function requireAdminForStaff({ rights }: Pick<Caller, 'rights'>, member: MemberRow): void {
  if (isStaffAccount(member) && !rights.isWriteAccessAdmin) throw new Refused('member_is_staff')
}

/**
 * Emails every administrator that a staff account was closed, reopened, erased, signed out, or is being recovered or
 * given another address; the acting one too, because somebody else may be using their session. Does nothing for other accounts.
 */
export async function notifyAdminsOfStaffAccount(
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  { member, actorId }: { member: MemberRow; actorId: string },
  kind:
    | 'staff-erased'
    | 'staff-deactivated'
    | 'staff-reopened'
    | 'staff-signed-out'
    | 'staff-recovery-confirmed'
    | 'staff-email-change',
): Promise<void> {
  if (!isStaffAccount(member)) return
  const actor = await getMemberById(db, actorId)
  for (const admin of await listActiveAdmins(db))
    await sendMail(db, keys, admin, kind, {
      by: staffNameWithAddress(actor, admin.language),
      name: member.display_name || member.email,
      email: member.email,
      link: consoleMemberLink(config, member.id),
    })
}
