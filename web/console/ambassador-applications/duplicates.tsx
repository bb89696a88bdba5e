import type { DuplicateApplication } from '#contract/console-ambassadors.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import styles from './applications.module.css'
import { StateTag } from './state-tag.tsx'

/** Other applications that share data with this one, and the shared data. */
export function Duplicates({ duplicates }: { duplicates: readonly DuplicateApplication[] }) {
  const { t, formatDate } = useMessages()
  return (
    <ul className={styles.duplicates}>
      {duplicates.map(({ id, fullName, city, country, status, createdAt, by }) => (
        <li key={id}>
          <a href={pathTo('console.ambassadorApplication', { id })}>{fullName}</a>
          <StateTag status={status} />
          <span className={styles.quiet}>
            {t('consoleAmbassadors.place', { city, country })} ·{' '}
            <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          </span>
          <span>
            {t('consoleAmbassadors.same', {
              signs: by
                .map((sign) => t(`consoleAmbassadors.same.${sign}`))
                .join(t('consoleAmbassadors.same.separator')),
            })}
          </span>
        </li>
      ))}
    </ul>
  )
}
