import { api } from '#contract/api.ts'
import { adminFields } from '#contract/people/members.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { findMemberById, lockMember } from '../../members/member.queries.ts'
import { insertNote } from '../../notes/note.queries.ts'
import { notifyAdminsOfStaffAccount, requireAdminForStaff } from '../../members/staff-account.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { deleteSessionsOfMember } from '../../sessions/session.queries.ts'
import { changeMember } from '../update-member.ts'
import { presentMember } from './read-member.ts'

export const setMemberActive: Handler<typeof api.setMemberActive> = async ({ params, body }, context) => {
  const { db, config, caller } = context
  const { active, reason, lastUpdated } = body
  return transaction(db, async (db) => {
    const known = await findMemberById(db, params.id)
    // Nobody has verified the address yet, so only its owner can activate the account.
    if (active && known && !known.password_hash && !known.closed_at) throw new Refused('conflict')
    await changeMember(db, context, params.id, { change: { active }, lastUpdated })
    await insertNote(
      db,
      { kind: 'member', id: params.id },
      {
        kind: active ? 'activated' : 'deactivated',
        authorId: caller.memberId,
        text: reason,
      },
    )
    return presentMember(db, config, caller, params.id)
  })
}

export const setMemberRights: Handler<typeof api.setMemberRights> = async ({ params, body }, context) => {
  const { db, config, caller } = context
  const { reason, lastUpdated, ...rights } = body
  if (!Object.keys(adminFields).some((field) => rights[field as keyof typeof rights] !== undefined))
    throw refusedField('isWriteAccessAdmin', 'required')
  return transaction(db, async (db) => {
    await changeMember(db, context, params.id, { change: rights, lastUpdated })
    await insertNote(
      db,
      { kind: 'member', id: params.id },
      {
        kind: 'rights',
        authorId: caller.memberId,
        text: reason,
      },
    )
    // A caller who withdrew their own right reads no further.
    return presentMember(db, config, caller, params.id)
  })
}

export const endMemberSessions: Handler<typeof api.endMemberSessions> = ({ params }, context) => {
  const { db, caller } = context
  return transaction(db, async (db) => {
    const member = await lockMember(db, params.id)
    if (!member || member.erased_at) throw new Refused('not_found')
    requireAdminForStaff(caller, member)
    const ended = await deleteSessionsOfMember(db, params.id)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'sessions-ended',
      subjectKind: 'member',
      subjectId: params.id,
      detail: { ended },
    })
    await notifyAdminsOfStaffAccount(db, context, { member, actorId: caller.memberId }, 'staff-signed-out')
    return { ended }
  })
}

export const endSessionsOfMembers = serveBulk(api.endSessionsOfMembers, api.endMemberSessions, {
  handle: endMemberSessions,
  input: ({ id }) => ({ params: { id } }),
})
