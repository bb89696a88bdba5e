import { useEffect, useState } from 'react'
import type { Attachment, Message as SentMessage } from '#contract/people/conversations.ts'
import { MIB } from '#contract/platform/fields.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { saveFile } from '../kernel/save-file.ts'
import { Button } from '../kernel/ui/button.tsx'
import { FormStatus, Message } from '../kernel/ui/form-status.tsx'
import styles from './conversations.module.css'

type Props<Shown extends SentMessage> = {
  messages: readonly Shown[]
  /** Who wrote it, as its reader sees them. */
  authorOf: (message: Shown) => string
  /** Whether it is shown on the reader’s side. */
  isOwn: (message: Shown) => boolean
  open: (attachment: Attachment) => Promise<Blob>
}

/** The messages of a conversation, oldest first. */
export function MessageThread<Shown extends SentMessage>({ messages, authorOf, isOwn, open }: Props<Shown>) {
  const { formatDateTime } = useMessages()
  return (
    <ol className={styles.thread}>
      {messages.map((message) => (
        <li key={message.id} data-own={isOwn(message) || undefined}>
          <p className={styles.head}>
            <strong>{authorOf(message)}</strong>
            <time dateTime={message.at}>{formatDateTime(message.at)}</time>
          </p>
          <p className={styles.text}>{message.text}</p>
          {message.attachments.map((each, at) => (
            <AttachmentView key={each.id} attachment={each} number={at + 1} open={open} />
          ))}
        </li>
      ))}
    </ol>
  )
}

/** Announces messages that arrived while the page was open. */
export function NewMessagesNote({ isShown }: { isShown: boolean }) {
  const { t } = useMessages()
  return (
    <div role="status">
      {isShown && (
        <Message kind="note">
          <p>{t('conversations.arrived')}</p>
        </Message>
      )}
    </div>
  )
}

type AttachmentProps = {
  attachment: Attachment
  number: number
  open: (attachment: Attachment) => Promise<Blob>
}

/** A picture is shown in place, and a PDF is saved. Neither is loaded before someone asks for it. */
function AttachmentView({ attachment, number, open }: AttachmentProps) {
  const { t, formatNumber } = useMessages()
  const { isBusy, error, run } = useAction()
  const [address, setAddress] = useState<string>()
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address])
  const { kind, bytes, isDeleted } = attachment
  if (isDeleted) return <p className={styles.deleted}>{t('conversations.attachment.deleted')}</p>
  const size = formatNumber(Math.max(0.1, Math.round((bytes / MIB) * 10) / 10))
  const show = () =>
    run(async () => {
      const file = await open(attachment)
      if (kind === 'pdf') saveFile(file, `${t('conversations.attachment.name', { number })}.pdf`)
      else setAddress(URL.createObjectURL(file))
    })
  if (address)
    return (
      <img className={styles.picture} src={address} alt={t('conversations.attachment.name', { number })} />
    )
  return (
    <div>
      <Button kind="quiet" busy={isBusy} onClick={() => void show()}>
        {t(kind === 'pdf' ? 'conversations.attachment.pdf' : 'conversations.attachment.picture', {
          number,
          size,
        })}
      </Button>
      <FormStatus error={error} />
    </div>
  )
}
