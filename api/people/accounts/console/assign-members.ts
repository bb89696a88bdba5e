import { api } from '#contract/api.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { assignMemberRow, lockMember } from '../../members/member.queries.ts'
import { serveAssignment } from '../../members/serve-assignment.ts'
import { Refused } from '../../../platform/refused.ts'

export const { assign: assignMember, colleagues: listMemberColleagues } = serveAssignment('member', {
  level: 'employee',
  lock: async (db, { caller }, id) => {
    const member = await lockMember(db, id)
    if (!member || member.erased_at) throw new Refused('not_found')
    if (member.id === caller.memberId) throw new Refused('forbidden')
    return member
  },
  isBarred: async (_, colleagueId, id) => colleagueId === id,
  save: assignMemberRow,
})

export const assignMembers = serveBulk(api.assignMembers, api.assignMember, {
  handle: assignMember,
  input: ({ id, version }, { to }) => ({ params: { id }, body: { to, from: version || null } }),
})
