import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import { deleteNotesOfMember } from './note.queries.ts'
import * as readMentions from './read-mentions.ts'
import { deleteMentionsOf } from './mention.queries.ts'
import { exportNotes } from './present-notes.ts'

/** Notes of staff about members, orders, identity cases, and ambassador applications. */
export const notes = {
  calls: collectHandlers(readMentions),
  personal: {
    columns: {
      staff_note: {
        member_id: 'erased',
        order_id: 'erased',
        application_id: 'erased',
        ambassador_application_id: 'erased',
        author_id: 'remains',
        text: 'erased',
      },
      staff_mention: { member_id: 'erased' },
    },
    parts: { staffNotes: { isList: true, read: readAccountNotes } },
    erase: async (db, { id }) => {
      await deleteNotesOfMember(db, id)
      await deleteMentionsOf(db, id)
    },
  },
} satisfies Module

function readAccountNotes({ db, member }: Source) {
  return exportNotes(db, { kind: 'member', id: member.id })
}
