import { useState, type FormEvent, type ReactNode } from 'react'
import { attachmentBytesMax, attachmentsMax, messageText } from '#contract/people/conversations.ts'
import { MIB } from '#contract/platform/fields.ts'
import { failureMessage } from '../kernel/actions/failure-message.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { newKey } from '../kernel/call/new-key.ts'
import { CallFailed } from '../kernel/call/call-failed.ts'
import { boundsOf } from '../kernel/forms/field-bounds.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { draftStore } from '../kernel/state/draft-store.ts'
import { Button, TextButton } from '../kernel/ui/button.tsx'
import { FileField, TextArea } from '../kernel/ui/field.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import styles from './conversations.module.css'

export type NewMessage = { text: string; attachments: string[] }

type Props = {
  memberId: string
  /** Name of the draft, so that each conversation keeps its own. */
  draft: string
  label: string
  help?: string
  takesFiles: boolean
  /** Sends the message. If it is called again with the same key, the message is still sent only once. */
  send: (message: NewMessage, idempotencyKey: string) => Promise<void>
  /** Shown above the text; `insert` adds to it. */
  above?: (insert: (text: string) => void) => ReactNode
}

const accepted = 'image/jpeg,image/png,image/webp,image/heic,.heic,application/pdf'

/** A message with attachments. What was typed is kept in this tab until it is sent. */
export function MessageForm({ memberId, draft, label, help, takesFiles, send, above }: Props) {
  const { t } = useMessages()
  const store = draftStore<string>(memberId, `message ${draft}`)
  const [text, setText] = useState(() => store.read() ?? '')
  const [files, setFiles] = useState<readonly File[]>([])
  const [isMissing, setMissing] = useState(false)
  const { isBusy, failure, run } = useAction()
  const [key, setKey] = useState(newKey)
  // Another text or file is another message.
  const attach = (next: readonly File[]) => {
    setFiles(next)
    setKey(newKey())
  }
  const write = (next: string) => {
    setText(next)
    setKey(newKey())
    store.write(next || null)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(!text.trim())
    if (!text.trim() || isBusy) return
    await run(async () => {
      await send({ text, attachments: await Promise.all(files.map(readFile)) }, key)
      write('')
      attach([])
    })
  }
  const atText = problemAt(failure, 'text')
  const atFiles = problemAt(failure, 'attachments')
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      {above?.((added) => write(text.trim() ? `${text.trimEnd()}\n\n${added}` : added))}
      <TextArea
        label={label}
        help={help}
        error={isMissing && !text.trim() ? t('field.required') : atText}
        rows={4}
        maxLength={boundsOf(messageText).maxLength}
        value={text}
        onChange={({ target }) => write(target.value)}
      />
      {takesFiles && <Files files={files} onChange={attach} error={atFiles} />}
      <div>
        <Button type="submit" busy={isBusy} busyLabel={t('forms.sending')}>
          {t('conversations.send')}
        </Button>
      </div>
      <FormStatus
        error={failure !== undefined && !atText && !atFiles ? failureMessage(t, failure) : undefined}
      />
    </form>
  )
}

/** The server’s message about one field. */
const problemAt = (failure: unknown, field: string): string | undefined =>
  failure instanceof CallFailed
    ? failure.errors.find(({ path }) => path.split('.')[0] === field)?.message
    : undefined

function readFile(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const url = reader.result as string
      // A browser that doesn't know the type names none.
      resolve(`data:${file.type || 'application/octet-stream'};base64,${url.slice(url.indexOf(',') + 1)}`)
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable file')))
    reader.readAsDataURL(file)
  })
}

type FilesProps = {
  files: readonly File[]
  onChange: (files: readonly File[]) => void
  error: string | undefined
}

function Files({ files, onChange, error }: FilesProps) {
  const { t } = useMessages()
  const [problem, setProblem] = useState<string>()
  const size = attachmentBytesMax / MIB
  const add = (added: readonly File[]) => {
    const tooLarge = added.find((file) => file.size > attachmentBytesMax)
    const kept = [...files, ...added.filter((file) => file.size <= attachmentBytesMax)]
    setProblem(
      tooLarge
        ? t('conversations.attachment.tooLarge', { name: tooLarge.name, size })
        : kept.length > attachmentsMax
          ? t('conversations.attachment.tooMany', { max: attachmentsMax })
          : undefined,
    )
    onChange(kept.slice(0, attachmentsMax))
  }
  return (
    <div>
      <FileField
        label={t('conversations.attachments')}
        optional={t('forms.optional')}
        help={t('conversations.attachments.help', { max: attachmentsMax, size })}
        error={problem ?? error}
        chooseLabel={t('conversations.attachments.choose')}
        accept={accepted}
        multiple
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          // Allows choosing the same file again after it was removed.
          target.value = ''
        }}
      />
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map((file, at) => (
            <li key={`${at} ${file.name}`}>
              <span>{file.name}</span>
              <TextButton
                aria-label={t('conversations.attachment.removeNamed', { name: file.name })}
                onClick={() => onChange(files.filter((other) => other !== file))}
              >
                {t('conversations.attachment.remove')}
              </TextButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
