import type { FormEvent } from 'react'
import { categories, searchLengthMax } from '#contract/announcements.ts'
import { useWords } from '../i18n/words.tsx'
import { open } from '../navigation/on-demand.ts'
import { Button } from '../ui/button.tsx'
import { categoryWords } from './category-words.ts'
import { filterAddress, type NewsFilter } from './news-filter.ts'
import styles from './news-filter-bar.module.css'

/** Categories as links and the search as a form of the page's own address: both work without script. */
export function NewsFilterBar({ filter }: { filter: NewsFilter }) {
  const { t } = useWords()
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget).get('q')
    const q = typeof given === 'string' ? given.trim() : ''
    void open(filterAddress({ category: filter.category, q, page: 1 }))
  }
  const address = filterAddress({ category: filter.category, q: '', page: 1 })
  const key = new URLSearchParams(address).get('category')
  return (
    <div className={styles.bar}>
      <nav aria-label={t('news.filter.categories')}>
        <ul className={styles.categories}>
          {[null, ...categories.map(({ name }) => name)].map((name) => {
            const words = name && categoryWords(name)
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
      <form className={styles.search} role="search" method="get" action="?" onSubmit={search}>
        {key && <input type="hidden" name="category" value={key} />}
        <input
          key={filter.q}
          type="search"
          name="q"
          aria-label={t('news.search.label')}
          placeholder={t('news.search.label')}
          defaultValue={filter.q}
          maxLength={searchLengthMax}
        />
        <Button type="submit" kind="quiet">
          {t('news.search.submit')}
        </Button>
      </form>
    </div>
  )
}
