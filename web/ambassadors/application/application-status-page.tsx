import { readAmbassadorStatus, type AmbassadorState } from '#contract/people/ambassadors.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { LoginFrame } from '../../kernel/layout/login-frame.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Message } from '../../kernel/ui/form-status.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import styles from './application-status.module.css'

type Status = OutputOf<typeof readAmbassadorStatus>

const colours = {
  received: 'yellow',
  in_review: 'yellow',
  accepted: 'green',
  declined: 'quiet',
} as const satisfies Record<AmbassadorState, TagColor>

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
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('ambassadorStatus.failed')} />}
      <div role="status">
        {loaded.state === 'ready' && loaded.data && <StatusView status={loaded.data} />}
        {loaded.state === 'ready' && !loaded.data && (
          <Message kind="note">
            <p>{t('ambassadorStatus.nothing')}</p>
          </Message>
        )}
      </div>
    </LoginFrame>
  )
}

function StatusView({ status: { status, at } }: { status: Status }) {
  const { t, formatDate } = useMessages()
  return (
    <>
      <p className={styles.state}>
        <Tag colour={colours[status]}>{t(`ambassadorStatus.${status}`)}</Tag>
        <time dateTime={at}>{t('ambassadorStatus.since', { date: formatDate(at) })}</time>
      </p>
      <p>{t(`ambassadorStatus.${status}.text`)}</p>
      <p className={styles.note}>{t('ambassadorStatus.note')}</p>
    </>
  )
}

export default page({ View: ApplicationStatusView })
