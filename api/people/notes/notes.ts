import type { Module, Source } from '../../platform/module.ts'
import { deleteNotesOfMember } from './note.queries.ts'
import { exportNotes } from './present-notes.ts'

/** Notes of staff about members, orders, identity cases, and ambassador applications. */
export const notes = {
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
    },
    parts: { staffNotes: { isList: true, read: readAccountNotes } },
    erase: (db, { id }) => deleteNotesOfMember(db, id),
  },
} satisfies Module

function readAccountNotes({ db, member }: Source) {
  return exportNotes(db, { kind: 'member', id: member.id })
}
