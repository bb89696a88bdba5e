import { mailCountMax, readMailFigures } from '#contract/console-mails.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import styles from './mails.module.css'

/** Counts of undelivered emails, with links to them. */
export function MailFigures() {
  const { t, formatNumber } = useMessages()
  const loaded = useLoaded('figures', () => call(readMailFigures, {}))
  // The list below shows the same data, so the counts can be left out.
  if (loaded.state !== 'ready') return <div className={styles.figures} aria-hidden="true" />
  return (
    <ul className={styles.figures} aria-label={t('consoleMails.figures')}>
      {(['failed', 'retrying', 'waiting', 'stopped'] as const).map((state) => {
        const { count, isMore } = loaded.data[state]
        return (
          <li key={state}>
            <a href={`${pathTo('console.mails')}?state=${state}`}>
              <strong>
                {isMore ? t('consoleMails.more', { count: formatNumber(mailCountMax) }) : formatNumber(count)}
              </strong>
              <span>{t(`consoleMails.state.${state}`)}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
