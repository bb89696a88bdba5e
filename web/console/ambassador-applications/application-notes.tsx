import {
  addApplicationNote,
  removeApplicationNote,
  shownMax,
  type ApplicationDetail,
} from '#contract/console-ambassadors.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { StaffNotes } from '../notes/staff-notes.tsx'

/** Notes by colleagues. */
export function ApplicationNotes({
  application: { id, notes },
  mayAct,
  onChanged,
}: {
  application: ApplicationDetail
  mayAct: boolean
  onChanged: (application: ApplicationDetail) => void
}) {
  const { t } = useMessages()
  return (
    <StaffNotes
      notes={notes}
      help={t('consoleAmbassadors.notes.help')}
      schema={addApplicationNote.body.shape.text}
      shownMax={shownMax}
      mayAct={mayAct}
      add={(text) => call(addApplicationNote, { params: { id }, body: { text } })}
      remove={(noteId) => call(removeApplicationNote, { params: { id, noteId } })}
      onChanged={onChanged}
    />
  )
}
