import { useState, type FormEvent } from 'react'
import {
  addMemberNote,
  removeMemberNote,
  type ConsoleMemberDetail,
  type MemberNote,
} from '#contract/console-members.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { noteWords } from './member-words.ts'
import styles from './members.module.css'

type Props = {
  member: ConsoleMemberDetail
  mayAct: boolean
  onChanged: (member: ConsoleMemberDetail) => void
}

/** What colleagues noted, and why they acted on the account. */
export function MemberNotes({ member, mayAct, onChanged }: Props) {
  const { t } = useWords()
  return (
    <>
      {member.notes.length === 0 ? (
        <p>{t('consoleMembers.notes.none')}</p>
      ) : (
        <ul className={styles.notes}>
          {member.notes.map((note) => (
            <Note key={note.id} note={note} memberId={member.id} onChanged={onChanged} />
          ))}
        </ul>
      )}
      {mayAct && <NewNote memberId={member.id} onChanged={onChanged} />}
    </>
  )
}

type NoteProps = { note: MemberNote; memberId: string; onChanged: Props['onChanged'] }

function Note({ note, memberId, onChanged }: NoteProps) {
  const { t, formatMoment } = useWords()
  const { isBusy, error, run } = useAction()
  const remove = () =>
    run(async () => {
      onChanged(await call(removeMemberNote, { params: { id: memberId, noteId: note.id } }))
      showNotice(t('consoleMembers.notes.removed'), 'success')
    })
  const time = formatMoment(note.at)
  return (
    <li>
      <p className={styles.noteHead}>
        <span>
          {t(noteWords[note.kind])} · {note.by ?? t('consoleMembers.somebody')}
        </span>
        <time dateTime={note.at}>{time}</time>
      </p>
      <p className={styles.noteText}>{note.text}</p>
      {note.isRemovable && (
        <TextButton
          disabled={isBusy}
          aria-label={t('consoleMembers.notes.removeNamed', { time })}
          onClick={() => void remove()}
        >
          {t('consoleMembers.notes.remove')}
        </TextButton>
      )}
      <FormStatus error={error} />
    </li>
  )
}

function NewNote({ memberId, onChanged }: Pick<NoteProps, 'memberId' | 'onChanged'>) {
  const { t } = useWords()
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { isBusy, error, run } = useAction()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(!text.trim())
    if (!text.trim()) return
    await run(async () => {
      onChanged(await call(addMemberNote, { params: { id: memberId }, body: { text } }))
      setText('')
      showNotice(t('consoleMembers.notes.added'), 'success')
    })
  }
  return (
    <form noValidate onSubmit={(event) => void add(event)}>
      <TextArea
        label={t('consoleMembers.notes.label')}
        help={t('consoleMembers.notes.help')}
        error={isMissing && !text.trim() ? t('field.required') : undefined}
        rows={3}
        maxLength={boundsOf(addMemberNote.body.shape.text).maxLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" kind="quiet" busy={isBusy}>
        {t('consoleMembers.notes.add')}
      </Button>
      <FormStatus error={error} />
    </form>
  )
}
