import { addMemberNote, removeMemberNote, type ConsoleMemberDetail } from '#contract/console-members.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { StaffNotes } from '../detail/staff-notes.tsx'

/** Notes by colleagues, and the reasons for actions on the account. */
export function MemberNotes({
  member: { id, notes },
  mayAct,
  onChanged,
}: {
  member: ConsoleMemberDetail
  mayAct: boolean
  onChanged: (member: ConsoleMemberDetail) => void
}) {
  const { t } = useMessages()
  return (
    <StaffNotes
      notes={notes}
      help={t('consoleMembers.notes.help')}
      schema={addMemberNote.body.shape.text}
      kindOf={({ kind }) => t(`consoleMembers.note.${kind}`)}
      mayAct={mayAct}
      add={(text) => call(addMemberNote, { params: { id }, body: { text } })}
      remove={(noteId) => call(removeMemberNote, { params: { id, noteId } })}
      onChanged={onChanged}
    />
  )
}
