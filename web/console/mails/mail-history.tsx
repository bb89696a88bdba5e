import type { ConsoleMailDetail } from '#contract/console-mails.ts'
import { useMessages } from '../../i18n/messages.tsx'
import styles from './mails.module.css'
import { MailServerResponse } from './mail-server-response.tsx'

type Event = { at: string; what: string; code?: string | null; step?: string | null }

/** The events of an email with their authors, newest first. */
export function MailHistory({ mail }: { mail: ConsoleMailDetail }) {
  const { t, formatDateTime } = useMessages()
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
            <time dateTime={at}>{formatDateTime(at)}</time>
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
