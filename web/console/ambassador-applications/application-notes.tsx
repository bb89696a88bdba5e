import { useState, type FormEvent } from 'react'
import {
  addApplicationNote,
  removeApplicationNote,
  shownMax,
  type ApplicationDetail,
  type ApplicationNote,
} from '#contract/console-ambassadors.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './applications.module.css'

type Changed = { onChanged: (application: ApplicationDetail) => void }

/** What colleagues noted. */
export function ApplicationNotes({
  application: { id, notes },
  mayAct,
  onChanged,
}: { application: ApplicationDetail; mayAct: boolean } & Changed) {
  const { t } = useWords()
  return (
    <>
      {notes.length === 0 ? (
        <p>{t('consoleAmbassadors.notes.none')}</p>
      ) : (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <Note key={note.id} note={note} applicationId={id} onChanged={onChanged} />
          ))}
        </ul>
      )}
      {notes.length >= shownMax && <p>{t('consoleAmbassadors.notes.most', { count: shownMax })}</p>}
      {mayAct && <NewNote applicationId={id} onChanged={onChanged} />}
    </>
  )
}

function Note({
  note,
  applicationId,
  onChanged,
}: { note: ApplicationNote; applicationId: string } & Changed) {
  const { t, formatMoment } = useWords()
  const { isBusy, error, run } = useAction()
  const remove = () =>
    run(async () => {
      onChanged(await call(removeApplicationNote, { params: { id: applicationId, noteId: note.id } }))
      showNotice(t('consoleAmbassadors.notes.removed'), 'success')
    })
  const time = formatMoment(note.at)
  return (
    <li>
      <p className={styles.noteHead}>
        <span>{note.by ?? t('consoleAmbassadors.somebody')}</span>
        <time dateTime={note.at}>{time}</time>
      </p>
      <p className={styles.why}>{note.text}</p>
      {note.isRemovable && (
        <TextButton
          disabled={isBusy}
          aria-label={t('consoleAmbassadors.notes.removeNamed', { time })}
          onClick={() => void remove()}
        >
          {t('consoleAmbassadors.notes.remove')}
        </TextButton>
      )}
      <FormStatus error={error} />
    </li>
  )
}

function NewNote({ applicationId, onChanged }: { applicationId: string } & Changed) {
  const { t } = useWords()
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { isBusy, error, run } = useAction()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(!text.trim())
    if (!text.trim()) return
    await run(async () => {
      onChanged(await call(addApplicationNote, { params: { id: applicationId }, body: { text } }))
      setText('')
      showNotice(t('consoleAmbassadors.notes.added'), 'success')
    })
  }
  return (
    <form className={styles.newNote} noValidate onSubmit={(event) => void add(event)}>
      <TextArea
        label={t('consoleAmbassadors.notes.label')}
        help={t('consoleAmbassadors.notes.help')}
        error={isMissing && !text.trim() ? t('field.required') : undefined}
        rows={3}
        maxLength={boundsOf(addApplicationNote.body.shape.text).maxLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" kind="quiet" busy={isBusy}>
        {t('consoleAmbassadors.notes.add')}
      </Button>
      <FormStatus error={error} />
    </form>
  )
}
