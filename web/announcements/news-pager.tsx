import { useMessages } from '../i18n/messages.tsx'
import { filterAddress, type NewsFilter } from './news-filter.ts'
import styles from './news.module.css'

/** Links to the previous and next page. */
export function NewsPager({ filter, hasMore }: { filter: NewsFilter; hasMore: boolean }) {
  const { t } = useMessages()
  if (filter.page === 1 && !hasMore) return null
  const to = (page: number) => filterAddress({ ...filter, page })
  return (
    <nav className={styles.pager} aria-label={t('news.pages.label')}>
      {filter.page > 1 ? (
        <a rel="prev" href={to(filter.page - 1)}>
          {t('news.pages.newer')}
        </a>
      ) : (
        <span />
      )}
      <span>{t('news.pages.number', { page: filter.page })}</span>
      {hasMore ? (
        <a rel="next" href={to(filter.page + 1)}>
          {t('news.pages.older')}
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}
