import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import styles from './search-link.module.css'

/** A link to the site search. */
export function SearchLink() {
  const { t } = useMessages()
  return (
    <a className={styles.search} href={pathTo('search')} aria-label={t('layout.nav.search')}>
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <path d="M12 12l4.5 4.5M7.5 13a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11z" />
      </svg>
    </a>
  )
}
