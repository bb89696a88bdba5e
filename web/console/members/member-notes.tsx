import { addMemberNote, removeMemberNote, type ConsoleMemberDetail } from '#contract/console-members.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { StaffNotes } from '../notes/staff-notes.tsx'
import { noteWords } from './member-words.ts'

/** What colleagues noted, and why they acted on the account. */
export function MemberNotes({
  member: { id, notes },
  mayAct,
  onChanged,
}: {
  member: ConsoleMemberDetail
  mayAct: boolean
  onChanged: (member: ConsoleMemberDetail) => void
}) {
  const { t } = useWords()
  return (
    <StaffNotes
      notes={notes}
      help={t('consoleMembers.notes.help')}
      schema={addMemberNote.body.shape.text}
      kindOf={({ kind }) => t(noteWords[kind])}
      mayAct={mayAct}
      add={(text) => call(addMemberNote, { params: { id }, body: { text } })}
      remove={(noteId) => call(removeMemberNote, { params: { id, noteId } })}
      onChanged={onChanged}
    />
  )
}
