import { findMemberById } from '../../members/member.queries.ts'
import { serveNotes } from '../../notes/serve-notes.ts'
import { Refused } from '../../../platform/refused.ts'
import { presentMember } from './read-member.ts'

export const {
  add: addMemberNote,
  remove: removeMemberNote,
  readers: listMemberReaders,
} = serveNotes('member', {
  require: async (db, { caller }, id) => {
    const member = await findMemberById(db, id)
    if (!member || member.erased_at) throw new Refused('not_found')
    if (member.id === caller.memberId) throw new Refused('forbidden')
  },
  present: ({ db, config, caller }, id) => presentMember(db, config, caller, id),
})
