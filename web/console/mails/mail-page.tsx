import { getMail, sendMailAgain, stopMail, type ConsoleMailDetail } from '#contract/platform/console-mails.ts'
import { usePolling } from '../../kernel/actions/use-polling.ts'
import { call } from '../../kernel/call/call.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import type { ActionList, DetailAction } from '../detail/detail-actions.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import { MailContent } from './mail-content.tsx'
import { MailState } from './mail-list.tsx'
import { MailServerResponse } from './mail-server-response.tsx'
import styles from './mails.module.css'
import { Address } from '../../kernel/ui/address.tsx'

type Context = DetailContext<ConsoleMailDetail>

/** An email can wait for a long time, but sending takes only seconds. */
const pollsMax = 15

/** Shows how sending goes on. */
function SendingProgress({ of: { record: mail, refresh, changes } }: { of: Context }) {
  const isSending = mail.state === 'sending'
  usePolling({
    isUnderWay: isSending || mail.state === 'waiting',
    seen: mail,
    poll: refresh,
    max: isSending ? Infinity : pollsMax,
    resetKey: changes,
  })
  return null
}

/** If an action is unavailable, the failure note says why. */
function actionsOf({ record: mail }: Context): ActionList<ConsoleMailDetail> {
  const body = { id: mail.id }
  const isQueued = mail.state === 'waiting' || mail.state === 'retrying'
  const send = (
    words: 'consoleMails.now' | 'consoleMails.again',
    isMeant: boolean,
  ): DetailAction<ConsoleMailDetail> => ({
    words,
    isOffered: !mail.againObstacle && isMeant,
    kind: 'primary',
    step: () => call(sendMailAgain, { body }),
    next: 'reload',
  })
  return {
    actions: [
      send('consoleMails.now', isQueued),
      send('consoleMails.again', !isQueued),
      {
        words: 'consoleMails.stop',
        isOffered: !mail.stopObstacle,
        kind: 'danger',
        dismiss: 'consoleMails.stop.keep',
        step: () => call(stopMail, { body }),
        next: 'reload',
      },
    ],
  }
}

/** Why the email has not been delivered, what staff can do, and what happens automatically. */
function MailFailureNote({ mail }: { mail: ConsoleMailDetail }) {
  const { t, language } = useMessages()
  const { trouble, code, state, nextTryAt, againObstacle } = mail
  if (!trouble) return null
  const step = mail.tries.findLast((each) => each.code !== null)?.step ?? null
  return (
    <Message kind={state === 'failed' ? 'bad' : 'note'}>
      <p>
        <strong>{t(`consoleMails.trouble.${trouble}`)}</strong>
      </p>
      <p>{t(`consoleMails.trouble.${trouble}.help`)}</p>
      <p>
        <MailServerResponse code={code} step={step} />
      </p>
      <p>
        {nextTryAt && t('consoleMails.nextTryAt', { time: formatMoment(nextTryAt, language) })}
        {state === 'failed' && t('consoleMails.noMoreTries')}
      </p>
      {state === 'failed' && againObstacle && (
        <p>
          {t('consoleMails.cannot')} {t(`errors.${againObstacle}`)}
        </p>
      )}
    </Message>
  )
}

function MailHeaders({ of: { t, moment, record: mail } }: { of: Context }) {
  const { headers, nextTryAt, state } = mail
  const next = nextTryAt && state !== 'sending' && moment(nextTryAt)
  return (
    <Facts
      facts={[
        ...headers.map(({ name, value }) => ({ name, label: name, value })),
        ...(next ? [{ name: 'next', label: t('consoleMails.nextTry'), value: next }] : []),
      ]}
    />
  )
}

type Event = { at: string; what: string; code?: string | null; step?: string | null }

/** The events of an email with their authors, newest first. */
function MailHistory({ mail }: { mail: ConsoleMailDetail }) {
  const { t, language } = useMessages()
  const { tries, actions, attempts } = mail
  // With very many attempts, the first ones are not stored.
  const before = attempts - tries.length
  const events: Event[] = [
    { at: mail.createdAt, what: t('consoleMails.event.written') },
    ...tries.map(({ at, endedAt, trouble, code, step }, index): Event => {
      const n = before + index + 1
      if (trouble)
        return {
          at: endedAt ?? at,
          what: t('consoleMails.event.tried', { n, trouble: t(`consoleMails.trouble.${trouble}`) }),
          code,
          step,
        }
      return endedAt
        ? { at: endedAt, what: t('consoleMails.event.sent', { n }) }
        : { at, what: t('consoleMails.event.trying', { n }) }
    }),
    ...(mail.sentAt && tries.length === 0
      ? [{ at: mail.sentAt, what: t('consoleMails.event.delivered') }]
      : []),
    ...actions.map(({ at, what, by: name }): Event => {
      const words = what === 'stopped' ? 'consoleMails.event.stopped' : 'consoleMails.event.again'
      return { at, what: t(words, { name }) }
    }),
  ]
  return (
    <ol className={styles.history}>
      {events
        .toSorted((a, b) => b.at.localeCompare(a.at))
        .map(({ at, what, code, step }) => (
          <li key={at + what}>
            <time dateTime={at}>{formatMoment(at, language)}</time>
            <p>{what}</p>
            {code && (
              <p className={styles.quiet}>
                <MailServerResponse code={code} step={step ?? null} />
              </p>
            )}
          </li>
        ))}
    </ol>
  )
}

export default detailPage<ConsoleMailDetail>({
  route: 'console.mail',
  back: 'consoleMails.toList',
  failed: 'consoleMails.failedToLoad',
  gone: 'consoleMails.gone',
  read: (id) => call(getMail, { params: { id } }),
  isTranslated: true,
  mayAct: (_, { mayAct }) => mayAct,
  name: ({ record }) => record.to,
  title: ({ record: { content, title } }) => (content && !content.isTemplate ? content.subject : title),
  lead: ({ record: mail }) => (
    <>
      <MailState mail={mail} />{' '}
      {mail.memberId ? (
        <a href={pathTo('console.member', { id: mail.memberId })}>
          <Address email={mail.to} />
        </a>
      ) : (
        <Address email={mail.to} />
      )}
    </>
  ),
  actions: actionsOf,
  notices: (of) => (
    <>
      <SendingProgress of={of} />
      <MailFailureNote mail={of.record} />
    </>
  ),
  columns: [
    ({ record }) => [
      {
        id: 'mail-look',
        heading: record.state === 'sent' ? 'consoleMails.look.sent' : 'consoleMails.look',
        body: <MailContent mail={record} />,
      },
    ],
    (of) => [
      { id: 'mail-history', heading: 'consoleMails.history', body: <MailHistory mail={of.record} /> },
      { id: 'mail-headers', heading: 'consoleMails.headers', body: <MailHeaders of={of} /> },
    ],
  ],
})
