import type { ReactNode } from 'react'
import { browseAnnouncements, categories } from '#contract/publishing/announcements.ts'
import { boundsOf } from '../kernel/forms/field-bounds.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { navigate } from '../kernel/navigation/navigate.ts'
import { categoryLabel } from '../kernel/news-choice/category-labels.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { useSession } from '../kernel/session/session.ts'
import { Empty } from '../kernel/ui/empty.tsx'
import { SearchRow } from '../kernel/ui/search-row.tsx'
import { canPublish } from './can-publish.ts'
import { filterAddress, keyOf, type NewsFilter } from './news-filter.ts'
import styles from './news.module.css'
import { Post } from './post.tsx'
import type { usePosts } from './use-posts.ts'

/** One page of posts, with links to the previous and next page. `filter` is the part of the filter in the query. */
export function NewsList({
  posts,
  filter,
  hasMore,
  empty,
}: {
  posts: ReturnType<typeof usePosts>
  filter: NewsFilter
  hasMore: boolean
  /** Shown if there are no posts. */
  empty: ReactNode
}) {
  const { member } = useSession()
  const mayPublish = canPublish(member)
  return (
    <>
      {posts.list.length === 0 && empty}
      {posts.list.map((post, at) => (
        <Post
          key={post._id}
          post={post}
          isLead={at === 0 && filter.page === 1}
          isFirst={at === 0}
          mayPublish={mayPublish}
          onSaved={posts.replace}
          onDeleted={posts.remove}
          onRestored={posts.add}
        />
      ))}
      <NewsPager filter={filter} hasMore={hasMore} />
    </>
  )
}

/** Shown if no post matches the filter. */
export function NothingFound() {
  const { t } = useMessages()
  return (
    <Empty title={t('news.nothingFound')}>
      <a href={pathTo('news')}>{t('news.showAll')}</a>
    </Empty>
  )
}

const searched = (path: string, q: string): string => (q ? `${path}?${new URLSearchParams({ q })}` : path)

/**
 * Categories are links to their pages, and the search form submits to the current page. Both work without JavaScript.
 * `category` is the category of the page, if it is not in the query.
 */
export function NewsFilterBar({ filter, category }: { filter: NewsFilter; category?: string }) {
  const { t } = useMessages()
  const address = filterAddress({ category: filter.category, q: '', page: 1 })
  const key = new URLSearchParams(address).get('category')
  const current = category ?? filter.category
  return (
    <div className={styles.bar}>
      <nav aria-label={t('news.filter.categories')}>
        <ul className={styles.categories}>
          {[null, ...categories.map(({ name }) => name)].map((name) => {
            const words = name && categoryLabel(name)
            const path =
              name === null ? pathTo('news') : pathTo('newsOf', { of: 'category', slug: keyOf(name) })
            return (
              <li key={name}>
                <a href={searched(path, filter.q)} aria-current={name === current ? 'true' : undefined}>
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

/** Links to the previous and next page. */
function NewsPager({ filter, hasMore }: { filter: NewsFilter; hasMore: boolean }) {
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
