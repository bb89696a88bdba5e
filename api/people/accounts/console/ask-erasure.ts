import type { api } from '#contract/api.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import type { Config } from '../../../platform/config/config.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { formatMoment } from '../../../platform/text/format-time.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { lockMember, type MemberRow } from '../../members/member.queries.ts'
import { insertNote } from '../../notes/note.queries.ts'
import { isStaffAccount } from '../../members/staff-account.ts'
import { Refused } from '../../../platform/refused.ts'
import { isStillStaff } from '../../sessions/is-still-staff.ts'
import { deleteSessionsOfMember } from '../../sessions/session.queries.ts'
import { signInLink } from '../../../platform/site-links.ts'
import { cancelErasure } from '../cancel-erasure.ts'
import { erasureWait, findErasureRequest, insertErasureRequest } from '../erasure-request.queries.ts'
import { presentMember } from './read-member.ts'

/**
 * A staff member opens it, and a second one carries it out no sooner than a day later, unless the member signs
 * in.
 */
export const openMemberErasure: Handler<typeof api.openMemberErasure> = async (
  { params, body },
  { db, keys, config, caller },
) => {
  return transaction(db, async (db) => {
    const member = await lockErasable(db, params.id, caller.memberId)
    const open = await findErasureRequest(db, member.id)
    if (open && (await isStillStaff(db, config, open.opened_by))) throw new Refused('conflict')
    caller.requireStepUp()
    const openedAt = await insertErasureRequest(db, {
      memberId: member.id,
      openedBy: caller.memberId,
      reason: body.reason,
    })
    // Signing in stops it, so members with a session must sign in again and learn of it.
    await deleteSessionsOfMember(db, member.id)
    await insertNote(
      db,
      { kind: 'member', id: member.id },
      {
        kind: 'erasure',
        authorId: caller.memberId,
        text: body.reason,
      },
    )
    await sendMail(db, keys, member, 'erasure-opened', {
      time: formatMoment(new Date(openedAt.getTime() + erasureWait), member.language),
      link: signInLink(config),
    })
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'erasure-opened',
      subjectKind: 'member',
      subjectId: member.id,
    })
    return presentMember(db, config, caller, member.id)
  })
}

export const cancelMemberErasure: Handler<typeof api.cancelMemberErasure> = ({ params }, context) => {
  const { db, config, caller } = context
  return transaction(db, async (db) => {
    const member = await lockMember(db, params.id)
    if (!member || !(await cancelErasure(db, context, member))) throw new Refused('not_found')
    return presentMember(db, config, caller, member.id)
  })
}

/** The member whom the caller may erase, locked, if the erasure is open, due, and opened by someone else. */
export async function requireDueErasure(
  db: Tx,
  config: Config,
  id: string,
  callerId: string,
): Promise<MemberRow> {
  const member = await lockErasable(db, id, callerId)
  const request = await findErasureRequest(db, id)
  if (!request) throw new Refused('not_found')
  const isDue = Date.now() >= request.opened_at.getTime() + erasureWait
  if (!isDue || request.opened_by === callerId) throw new Refused('conflict')
  // A request opened by a former staff member must be opened again.
  if (!(await isStillStaff(db, config, request.opened_by))) throw new Refused('conflict')
  return member
}

async function lockErasable(db: Tx, id: string, callerId: string): Promise<MemberRow> {
  const member = await lockMember(db, id)
  if (!member || member.erased_at) throw new Refused('not_found')
  // Staff delete their own accounts like all members.
  if (id === callerId) throw new Refused('conflict')
  if (isStaffAccount(member)) throw new Refused('member_is_staff')
  // Nobody there could sign in to stop it.
  if (member.closed_at) throw new Refused('account_closed')
  return member
}
