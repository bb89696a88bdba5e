import { useState, type FormEvent } from 'react'
import type { ZodMiniType } from 'zod/mini'
import { useAction } from '../../kernel/actions/use-action.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { TextArea } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import styles from './staff-notes.module.css'

/** `kind` is shown before the author. */
type Note = { id: string; text: string; at: string; by: string | null; isRemovable: boolean; kind?: string }

export type NotesSpec<Noted> = {
  notes: readonly Note[]
  /** Says who else reads the notes. */
  help: string
  /** The schema of a new note. */
  schema: ZodMiniType
  /** The maximum number of notes shown. */
  shownMax?: number
  add: (text: string) => Promise<Noted>
  remove: (noteId: string) => Promise<Noted>
}

type Props<Noted> = NotesSpec<Noted> & {
  mayAct: boolean
  onChanged: (noted: Noted) => void
}

/** Notes by colleagues about a person or record. */
export function StaffNotes<Noted>(props: Props<Noted>) {
  const { t } = useMessages()
  const { notes, shownMax = Infinity, mayAct } = props
  return (
    <>
      {notes.length === 0 ? (
        <p>{t('console.notes.none')}</p>
      ) : (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <OneNote key={note.id} note={note} {...props} />
          ))}
        </ul>
      )}
      {notes.length >= shownMax && <p>{t('console.notes.most', { count: shownMax })}</p>}
      {mayAct && <NewNote {...props} />}
    </>
  )
}

function OneNote<Noted>({ note, remove, onChanged }: Props<Noted> & { note: Note }) {
  const { t, language } = useMessages()
  const { isBusy, error, run } = useAction()
  const time = formatMoment(note.at, language)
  const author = note.by === null ? t('console.formerColleague') : staffName(note.by, language)
  const removeNote = () =>
    run(async () => {
      onChanged(await remove(note.id))
      showNotice(t('console.notes.removed'), 'success')
    })
  return (
    <li>
      <p className={styles.head}>
        <span>{note.kind ? `${note.kind} · ${author}` : author}</span>
        <time dateTime={note.at}>{time}</time>
      </p>
      <p className={styles.text}>{note.text}</p>
      {note.isRemovable && (
        <TextButton
          disabled={isBusy}
          aria-label={t('console.notes.removeNamed', { time })}
          onClick={() => void removeNote()}
        >
          {t('console.notes.remove')}
        </TextButton>
      )}
      <FormStatus error={error} />
    </li>
  )
}

function NewNote<Noted>({ help, schema, add, onChanged }: Props<Noted>) {
  const { t } = useMessages()
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { isBusy, error, run } = useAction()
  const write = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(!text.trim())
    if (!text.trim()) return
    await run(async () => {
      onChanged(await add(text))
      setText('')
      showNotice(t('console.notes.added'), 'success')
    })
  }
  return (
    <form className={styles.new} noValidate onSubmit={(event) => void write(event)}>
      <TextArea
        label={t('console.notes.label')}
        help={help}
        error={isMissing && !text.trim() ? t('field.required') : undefined}
        rows={3}
        maxLength={boundsOf(schema).maxLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" kind="quiet" busy={isBusy}>
        {t('console.notes.add')}
      </Button>
      <FormStatus error={error} />
    </form>
  )
}
