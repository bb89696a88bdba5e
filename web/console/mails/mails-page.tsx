import { useMemo, useState } from 'react'
import {
  listMailTemplates,
  mailCountMax,
  readMailFigures,
  sendTestMail,
} from '#contract/platform/console-mails.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button, ButtonLink } from '../../kernel/ui/button.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { MailDelivery } from './mail-delivery.tsx'
import { mailList } from './mail-list.tsx'
import { MailServerResponse } from './mail-server-response.tsx'
import styles from './mails.module.css'

/** Counts of undelivered emails, with links to them. */
function MailFigures() {
  const { t, formatNumber } = useMessages()
  const loaded = useLoaded('figures', () => call(readMailFigures, {}))
  // The list below shows the same data, so the counts can be left out.
  if (loaded.state !== 'ready') return <div className={styles.figures} aria-hidden="true" />
  const { data, setData } = loaded
  return (
    <>
      <MailDelivery pausedAt={data.pausedAt} onChange={(pausedAt) => setData({ ...data, pausedAt })} />
      <ul className={styles.figures} aria-label={t('consoleMails.figures')}>
        {(['failed', 'retrying', 'waiting', 'stopped'] as const).map((state) => {
          const { count, isMore } = data[state]
          return (
            <li key={state}>
              <a href={`${pathTo('console.mails')}?state=${state}`}>
                <strong>
                  {isMore
                    ? t('consoleMails.more', { count: formatNumber(mailCountMax) })
                    : formatNumber(count)}
                </strong>
                <span>{t(`consoleMails.state.${state}`)}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </>
  )
}

function MailsView({ search }: PageProps<unknown>) {
  const { t, language } = useMessages()
  const { member } = useSession()
  const mayAct = member !== null && levelOf(member, 'employee') >= 2
  return (
    <>
      <PageHead
        heading={t('consoleMails.heading')}
        lead={t('consoleMails.lead')}
        action={
          <div className={styles.buttons}>
            <ButtonLink kind="quiet" href={pathTo('console.mailTemplates')}>
              {t('consoleMails.templates')}
            </ButtonLink>
            {mayAct && <TestMailButton email={member.email} />}
          </div>
        }
      />
      {member && <Mails key={language} search={search} />}
    </>
  )
}

/** The server provides the names of email types in the reader's language. */
function Mails({ search }: { search: URLSearchParams }) {
  const { t } = useMessages()
  const templates = useLoaded('templates', () => call(listMailTemplates, {}))
  const known = templates.state === 'ready' ? templates.data : undefined
  const spec = useMemo(() => known && mailList(known), [known])
  if (templates.state === 'failed')
    return <LoadFailed title={t('console.list.failed')} failure={templates.failure} retry={templates.retry} />
  if (!spec) return <Loading label={t('forms.loading')} />
  return (
    <>
      <MailFigures />
      <ConsoleList spec={spec} search={search} />
    </>
  )
}

type Answer = OutputOf<typeof sendTestMail>

/** Sends an email to the signed-in member and shows the mail server's response. */
function TestMailButton({ email }: { email: string }) {
  const { t } = useMessages()
  const [isOpen, setIsOpen] = useState(false)
  const [answer, setAnswer] = useState<Answer>()
  const { isBusy, error, run, reset } = useAction()
  const close = () => {
    setIsOpen(false)
    setAnswer(undefined)
    reset()
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        {t('consoleMails.test')}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => !isBusy && close()}
        title={t('consoleMails.test.title')}
        actions={
          <>
            <Button kind="quiet" disabled={isBusy} onClick={close}>
              {t('consoleMails.test.close')}
            </Button>
            {!answer && (
              <Button
                busy={isBusy}
                busyLabel={t('consoleMails.test.sending')}
                onClick={() => void run(async () => setAnswer(await call(sendTestMail, { body: null })))}
              >
                {t('consoleMails.test.send')}
              </Button>
            )}
          </>
        }
      >
        {answer ? <Outcome answer={answer} /> : <p>{t('consoleMails.test.text', { email })}</p>}
        <FormStatus error={error} />
      </Dialog>
    </>
  )
}

function Outcome({ answer }: { answer: Answer }) {
  const { t } = useMessages()
  const { outcome, trouble, to, id } = answer
  return (
    <Message kind={outcome === 'sent' ? 'good' : outcome === 'failed' ? 'bad' : 'note'} role="status">
      {outcome === 'sent' && <p>{t('consoleMails.test.sent', { to })}</p>}
      {outcome === 'waiting' && <p>{t('consoleMails.test.waiting')}</p>}
      {outcome === 'failed' && (
        <>
          <p>
            <strong>{t('consoleMails.test.failed')}</strong>{' '}
            {trouble && t(`consoleMails.trouble.${trouble}.help`)}
          </p>
          <p>
            <MailServerResponse {...answer} />
          </p>
        </>
      )}
      <p>
        <a href={pathTo('console.mail', { id })}>{t('consoleMails.test.open')}</a>
      </p>
    </Message>
  )
}

export default page({ View: MailsView })
