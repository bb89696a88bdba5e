import { useRef, useState, type FormEvent } from 'react'
import type { ZodMiniType } from 'zod/mini'
import type { Colleague } from '#contract/people/assignment.ts'
import { notesShownMax } from '#contract/people/staff-notes.ts'
import { useAction } from '../actions/use-action.ts'
import { ConfirmDialog } from '../forms/confirm-dialog.tsx'
import { formatMoment } from '../i18n/format-moment.ts'
import { useMessages } from '../i18n/messages.tsx'
import { staffName } from '../i18n/staff-name.ts'
import { showNotice } from '../notices/notices.ts'
import { useSession } from '../session/session.ts'
import { draftStore } from '../state/draft-store.ts'
import { Button, TextButton } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { findMentions, MentionField } from './mention-field.tsx'
import styles from './staff-notes.module.css'

/** `kind` is shown before the author. */
type Note = { id: string; text: string; at: string; by: string | null; isRemovable: boolean; kind?: string }

export type NotesSpec<Noted> = {
  notes: readonly Note[]
  /** Name of the draft, so that each record keeps its own. */
  draft: string
  /** Staff can't write about themselves. */
  isOwn?: boolean
  /** Says who else reads the notes. */
  help: string
  /** The schema of a new note. */
  schema: ZodMiniType
  /** Reads the colleagues who can be mentioned. Without it, none can. */
  colleagues?: () => Promise<readonly Colleague[]>
  add: (text: string, mentions: string[]) => Promise<Noted>
  remove: (noteId: string) => Promise<Noted>
}

type Props<Noted> = NotesSpec<Noted> & {
  /** Whether the reader can add and delete notes. */
  mayAct: boolean
  onChanged: (noted: Noted) => void
}

/** Notes by colleagues about a person or record. */
export function StaffNotes<Noted>(props: Props<Noted>) {
  const { t } = useMessages()
  const { notes, mayAct } = props
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
      {notes.length >= notesShownMax && <p>{t('console.notes.most', { count: notesShownMax })}</p>}
      {mayAct && <NewNote {...props} />}
    </>
  )
}

function OneNote<Noted>({ note, remove, mayAct, onChanged }: Props<Noted> & { note: Note }) {
  const { t, language } = useMessages()
  const [isAsking, setAsking] = useState(false)
  const time = formatMoment(note.at, language)
  const author = note.by === null ? t('console.formerColleague') : staffName(note.by, language)
  return (
    <li>
      <p className={styles.head}>
        <span>{note.kind ? `${note.kind} · ${author}` : author}</span>
        <time dateTime={note.at}>{time}</time>
      </p>
      <p className={styles.text}>{note.text}</p>
      {mayAct && note.isRemovable && (
        <TextButton aria-label={t('console.notes.removeNamed', { time })} onClick={() => setAsking(true)}>
          {t('console.notes.remove')}
        </TextButton>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('console.notes.remove.title')}
          label={t('console.notes.remove.label')}
          kind="danger"
          step={() => remove(note.id)}
          onDone={(noted) => {
            onChanged(noted)
            showNotice(t('console.notes.removed'), 'success')
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('console.notes.remove.text')}</p>
          <blockquote className={styles.text}>{note.text}</blockquote>
        </ConfirmDialog>
      )}
    </li>
  )
}

/** What was typed is kept in this tab until it is sent. */
function NewNote<Noted>({ draft, help, schema, colleagues, add, onChanged }: Props<Noted>) {
  const { t } = useMessages()
  const { member } = useSession()
  const store = draftStore<string>(member?.id ?? null, `note ${draft}`)
  const [text, setText] = useState(() => store.read() ?? '')
  const [isMissing, setMissing] = useState(false)
  const { isBusy, error, run } = useAction()
  const { known, load } = useColleagues(colleagues)
  const write = (next: string) => {
    setText(next)
    store.write(next || null)
    // Without the list, the note is written as usual, and a failure is shown when it is sent.
    if (next.includes('@')) void load().catch(() => {})
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(!text.trim())
    if (!text.trim()) return
    await run(async () => {
      const mentions = text.includes('@') ? findMentions(text, await load()) : []
      onChanged(await add(text, mentions))
      write('')
      showNotice(t('console.notes.added'), 'success')
    })
  }
  return (
    <form className={styles.new} noValidate onSubmit={(event) => void submit(event)}>
      <MentionField
        label={t('console.notes.label')}
        help={help}
        error={isMissing && !text.trim() ? t('field.required') : undefined}
        schema={schema}
        value={text}
        colleagues={known}
        onText={write}
      />
      <Button type="submit" kind="quiet" busy={isBusy}>
        {t('console.notes.add')}
      </Button>
      <FormStatus error={error} />
    </form>
  )
}

/** Loads the colleagues once, when the first one is to be mentioned. */
function useColleagues(read: NotesSpec<unknown>['colleagues']) {
  const [known, setKnown] = useState<readonly Colleague[]>([])
  const request = useRef<Promise<readonly Colleague[]>>(undefined)
  const load = (): Promise<readonly Colleague[]> => {
    request.current ??= (read?.() ?? Promise.resolve([])).then(
      (found) => {
        setKnown(found)
        return found
      },
      (failure: unknown) => {
        request.current = undefined
        throw failure
      },
    )
    return request.current
  }
  return { known, load }
}
