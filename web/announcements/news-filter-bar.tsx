import { browseAnnouncements, categories } from '#contract/announcements.ts'
import { boundsOf } from '../forms/field-bounds.ts'
import { useMessages } from '../i18n/messages.tsx'
import { navigate } from '../navigation/navigate.ts'
import { SearchRow } from '../ui/search-row.tsx'
import { categoryLabel } from '../news-choice/category-labels.ts'
import { filterAddress, type NewsFilter } from './news-filter.ts'
import styles from './news-filter-bar.module.css'

/** Categories are links, and the search is a form of the same page. Both work without JavaScript. */
export function NewsFilterBar({ filter }: { filter: NewsFilter }) {
  const { t } = useMessages()
  const address = filterAddress({ category: filter.category, q: '', page: 1 })
  const key = new URLSearchParams(address).get('category')
  return (
    <div className={styles.bar}>
      <nav aria-label={t('news.filter.categories')}>
        <ul className={styles.categories}>
          {[null, ...categories.map(({ name }) => name)].map((name) => {
            const words = name && categoryLabel(name)
            return (
              <li key={name}>
                <a
                  href={filterAddress({ category: name, q: filter.q, page: 1 })}
                  aria-current={name === filter.category ? 'true' : undefined}
                >
                  {name === null ? t('news.filter.all') : words ? t(words) : name}
                </a>
              </li>
            )
          })}
        </ul>
      </nav>
      <div className={styles.search}>
        <SearchRow
          label={t('news.search.label')}
          submitLabel={t('news.search.submit')}
          q={filter.q}
          lengthMax={boundsOf(browseAnnouncements.query.shape.q).maxLength}
          onSearch={(q) => void navigate(filterAddress({ category: filter.category, q, page: 1 }))}
        >
          {key && <input type="hidden" name="category" value={key} />}
        </SearchRow>
      </div>
    </div>
  )
}
