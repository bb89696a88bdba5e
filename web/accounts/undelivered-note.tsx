import { lazy, Suspense } from 'react'
import { readOwnMailbox } from '#contract/mailboxes.ts'
import { useLoaded } from '../actions/use-loaded.ts'
import { call } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Message } from '../ui/form-status.tsx'
import { Loading } from '../ui/loading.tsx'

/** Loaded on demand, because few members need it. */
const MailboxPart = lazy(() =>
  import('../mailbox/mailbox-part.tsx').then((part) => ({ default: part.MailboxPart })),
)

/** Shown if emails do not reach the member: what was refused, what is still sent, and how to resolve it. */
export function UndeliveredNote({ email }: { email: string }) {
  const { t, formatDateTime } = useMessages()
  const loaded = useLoaded(email, () => call(readOwnMailbox, {}))
  if (loaded.state !== 'ready' || !loaded.data.refusal) return null
  const { refusedAt, code } = loaded.data.refusal
  return (
    <Message kind="bad">
      <p>
        <strong>{t('account.mailbox.heading')}</strong>
      </p>
      <p>{t('account.mailbox.refused', { email, time: formatDateTime(refusedAt), code })}</p>
      <p>{t('account.mailbox.still')}</p>
      <p>{t('account.mailbox.do')}</p>
      <Suspense fallback={<Loading label={t('forms.loading')} />}>
        <MailboxPart email={email} hasFactor={false} onVerified={() => loaded.setData({ refusal: null })} />
      </Suspense>
    </Message>
  )
}
