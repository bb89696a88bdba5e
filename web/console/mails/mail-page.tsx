import { useState } from 'react'
import { getMail, type ConsoleMailDetail } from '#contract/console-mails.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { usePolling } from '../../actions/use-polling.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/description-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { MailActions } from './mail-actions.tsx'
import { MailContent } from './mail-content.tsx'
import { MailHistory } from './mail-history.tsx'
import { MailState } from './mail-list.tsx'
import { MailFailureNote } from './mail-failure-note.tsx'
import styles from './mails.module.css'

/** An email can wait for a long time, but sending takes only seconds. */
const pollsMax = 15

function MailView({ params }: PageProps<unknown>) {
  const { language } = useMessages()
  const { member } = useSession()
  return member && <OneMail key={`${params['id']} ${language}`} id={params['id'] ?? ''} />
}

function OneMail({ id }: { id: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getMail, { params: { id } }))
  const reload = loaded.state === 'ready' ? loaded.reload : undefined
  const mail = loaded.state === 'ready' ? loaded.data : undefined
  const [changes, setChanges] = useState(0)
  const isSending = mail?.state === 'sending'
  usePolling({
    isUnderWay: isSending || mail?.state === 'waiting',
    seen: mail,
    poll: reload,
    max: isSending ? Infinity : pollsMax,
    resetKey: changes,
  })
  if (loaded.state !== 'ready')
    return (
      <>
        <PageHead heading={t('consoleMails.kind')} />
        {loaded.state === 'loading' ? (
          <Loading label={t('forms.loading')} />
        ) : (
          <NotShown failure={loaded.failure} retry={loaded.retry} />
        )}
      </>
    )
  return (
    <LoadedMail
      mail={loaded.data}
      onChanged={() => {
        setChanges((before) => before + 1)
        loaded.reload()
      }}
    />
  )
}

function NotShown({ failure, retry }: { failure: unknown; retry: () => void }) {
  const { t } = useMessages()
  const alternative = <a href={pathTo('console.mails')}>{t('consoleMails.toList')}</a>
  if (failure instanceof CallFailed && failure.code === 'not_found')
    return (
      <Empty role="status" title={t('consoleMails.gone')}>
        {alternative}
      </Empty>
    )
  return (
    <LoadFailed
      title={t('consoleMails.failedToLoad')}
      failure={failure}
      retry={retry}
      alternative={alternative}
    />
  )
}

function LoadedMail({ mail, onChanged }: { mail: ConsoleMailDetail; onChanged: () => void }) {
  const { t, formatDateTime } = useMessages()
  const time = (at: string) => <time dateTime={at}>{formatDateTime(at)}</time>
  return (
    <>
      <p>
        <a href={pathTo('console.mails')}>{t('consoleMails.toList')}</a>
      </p>
      <PageHead
        heading={mail.content && !mail.content.isTemplate ? mail.content.subject : mail.title}
        lead={
          <span className={styles.lead}>
            <MailState mail={mail} />{' '}
            {mail.memberId ? (
              <a href={pathTo('console.member', { id: mail.memberId })}>{mail.to}</a>
            ) : (
              mail.to
            )}
          </span>
        }
        action={<MailActions mail={mail} onChanged={onChanged} />}
      />
      <MailFailureNote mail={mail} />
      <div className={styles.columns}>
        <PagePart
          id="mail-look"
          heading={t(mail.state === 'sent' ? 'consoleMails.look.sent' : 'consoleMails.look')}
        >
          <MailContent mail={mail} />
        </PagePart>
        <div>
          <PagePart id="mail-history" heading={t('consoleMails.history')}>
            <MailHistory mail={mail} />
          </PagePart>
          <PagePart id="mail-headers" heading={t('consoleMails.headers')}>
            <Facts
              facts={[
                ...mail.headers.map(({ name, value }) => ({ name, label: name, value })),
                ...(mail.nextTryAt && mail.state !== 'sending'
                  ? [{ name: 'next', label: t('consoleMails.nextTry'), value: time(mail.nextTryAt) }]
                  : []),
              ]}
            />
          </PagePart>
        </div>
      </div>
    </>
  )
}

export default page({ View: MailView })
