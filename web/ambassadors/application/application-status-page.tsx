import { readAmbassadorStatus, type AmbassadorState } from '#contract/ambassadors.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call, CallFailed } from '../../call/call.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { LoginFrame } from '../../layout/login-frame.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { Message } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Tag, type TagColor } from '../../ui/tag.tsx'
import styles from './application-status.module.css'

type Status = OutputOf<typeof readAmbassadorStatus>

const statusLabels = {
  received: {
    colour: 'yellow',
    name: 'ambassadorStatus.received',
    text: 'ambassadorStatus.received.text',
  },
  in_review: {
    colour: 'yellow',
    name: 'ambassadorStatus.in_review',
    text: 'ambassadorStatus.in_review.text',
  },
  accepted: {
    colour: 'green',
    name: 'ambassadorStatus.accepted',
    text: 'ambassadorStatus.accepted.text',
  },
  declined: {
    colour: 'quiet',
    name: 'ambassadorStatus.declined',
    text: 'ambassadorStatus.declined.text',
  },
} as const satisfies Record<AmbassadorState, { colour: TagColor; name: PlainKey; text: PlainKey }>

/** Null if the link is invalid. Unknown, expired, and erased links look the same. */
async function readStatus(code: string): Promise<Status | null> {
  try {
    return await call(readAmbassadorStatus, { body: { code } })
  } catch (failure) {
    if (failure instanceof CallFailed && failure.status === 400) return null
    throw failure
  }
}

/**
 * The page that the confirmation email links to. It shows the status and date of an application, but not the applicant.
 */
function ApplicationStatusView({ params: { code = '' } }: PageProps<unknown>) {
  const { t } = useMessages()
  const loaded = useLoaded(code, () => readStatus(code))
  return (
    <LoginFrame
      heading={t('ambassadorStatus.heading')}
      foot={<a href={pathTo('ambassadorProgram')}>{t('ambassadorStatus.toProgramme')}</a>}
    >
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {loaded.state === 'failed' && (
        <LoadFailed title={t('ambassadorStatus.failed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      <div role="status">
        {loaded.state === 'ready' && (loaded.data ? <StatusView status={loaded.data} /> : <Nothing />)}
      </div>
    </LoginFrame>
  )
}

function StatusView({ status: { status, at } }: { status: Status }) {
  const { t, formatDate } = useMessages()
  const { colour, name, text } = statusLabels[status]
  return (
    <>
      <p className={styles.state}>
        <Tag colour={colour}>{t(name)}</Tag>
        <time dateTime={at}>{t('ambassadorStatus.since', { date: formatDate(at) })}</time>
      </p>
      <p>{t(text)}</p>
      <p className={styles.note}>{t('ambassadorStatus.note')}</p>
    </>
  )
}

function Nothing() {
  const { t } = useMessages()
  return (
    <Message kind="note">
      <p>{t('ambassadorStatus.nothing')}</p>
    </Message>
  )
}

export default page({ View: ApplicationStatusView })
