import type { adminFields } from '#contract/people/members.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { columnsOf } from '../../platform/db/columns-of.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { profileColumns, type MemberFields } from '../members/profile-columns.ts'
import type { MailContext } from '../sessions/notify-member.ts'
import { changesOf, followUp, writeChange } from './update-member.ts'

export type GrantedRights = Pick<MemberFields, keyof typeof adminFields>

/**
 * Grants rights with a command on the server, for the case that no administrator can sign in. Sessions end and emails
 * are sent as for a change in the console. The caller has locked the member.
 */
export async function grantRightsByCommand(
  db: Tx,
  context: MailContext,
  member: MemberRow,
  rights: GrantedRights,
): Promise<void> {
  const updated = await writeChange(db, context, member, columnsOf(profileColumns, rights))
  await followUp(db, { ...context, actorId: null }, member, updated)
  await recordAudit(db, {
    actorId: null,
    action: 'rights-granted-by-command',
    subjectKind: 'member',
    subjectId: member.id,
    detail: changesOf(member, updated),
  })
}
