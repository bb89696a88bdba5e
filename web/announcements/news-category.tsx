import { browseAnnouncements, type categories } from '#contract/publishing/announcements.ts'
import { Rosette } from '../kernel/brand/rosette.tsx'
import { messagesFrom } from '../kernel/content/messages-from.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import type { LoadContext } from '../kernel/routes/page.ts'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { categoryAt, readFilter } from './news-filter.ts'
import heroStyles from './news-hero.module.css'
import { NewsFilterBar, NewsList, NothingFound } from './news-list.tsx'
import styles from './news.module.css'
import { usePosts, type NewsData } from './use-posts.ts'

type Category = (typeof categories)[number]['name']
export type CategoryData = NewsData & {
  of: 'category'
  category: Category
  head: { title: string; description: string }
}

/** The name and the description of each category. */
const words = {
  'Technical Updates': {
    title: 'news.category.technicalUpdates',
    description: 'news.category.technicalUpdates.about',
  },
  News: { title: 'news.category.news', description: 'news.category.news.about' },
  Events: { title: 'news.category.events', description: 'news.category.events.about' },
  Partnerships: { title: 'news.category.partnerships', description: 'news.category.partnerships.about' },
} as const satisfies Record<Category, { title: PlainKey; description: PlainKey }>

/** The posts of one category, newest first. */
export function NewsCategory({ data }: { data: CategoryData }) {
  const { t } = useMessages()
  const posts = usePosts(data)
  const { title, description } = words[data.category]
  return (
    <>
      <PageHero
        size="low"
        heading={t(title)}
        lead={t(description)}
        drawing={<Rosette figure="light" className={heroStyles.rosette} />}
      />
      <div className={styles.news}>
        <NewsFilterBar filter={data.filter} category={data.category} />
        <NewsList posts={posts} filter={data.filter} hasMore={data.hasMore} empty={<NothingFound />} />
      </div>
    </>
  )
}

/** Loads one page of a category, with its name and description for search engines. */
export async function loadCategory({ call, language, params, query }: LoadContext): Promise<CategoryData> {
  const category = categoryAt(params['slug'])
  if (!category) throw Object.assign(new Error('no such category'), { status: 404 })
  // The category is in the path, so the queries of searches and of further pages don't repeat it.
  const filter = { ...readFilter(query), category: null }
  const { q, page } = filter
  const [found, messages] = await Promise.all([
    call(browseAnnouncements, { params: { lang: language }, query: { page, category, ...(q && { q }) } }),
    messagesFrom(call, language, ['news']),
  ])
  const { title, description } = words[category]
  const head = { title: messages[title] ?? category, description: messages[description] ?? '' }
  return { of: 'category', language, filter, category, head, ...found }
}
