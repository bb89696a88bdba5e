import { browseAnnouncements } from '#contract/announcements.ts'
import { Rosette } from '../brand/rosette.tsx'
import { useMessages } from '../i18n/messages.tsx'
import { page, type PageProps } from '../routes/page.ts'
import { useSession } from '../session/session.ts'
import { Empty } from '../ui/empty.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import { canPublish } from './can-publish.ts'
import { filterAddress, isFiltered, readFilter } from './news-filter.ts'
import { NewsletterSignup } from './newsletter-signup.tsx'
import { NewsFilterBar } from './news-filter-bar.tsx'
import { NewsPager } from './news-pager.tsx'
import heroStyles from './news-hero.module.css'
import styles from './news.module.css'
import { Post } from './post.tsx'
import { CreatePost } from './create-post.tsx'
import { usePosts, type NewsData } from './use-posts.ts'

function NewsView({ data }: PageProps<NewsData>) {
  const { t } = useMessages()
  const { member } = useSession()
  const posts = usePosts(data)
  const mayPublish = canPublish(member)
  const everything = filterAddress({ category: null, q: '', page: 1 })
  return (
    <>
      {/* A low hero, because visitors come here to read. */}
      <PageHero
        size="low"
        heading={t('news.hero.title')}
        lead={t('news.hero.lead')}
        drawing={<Rosette figure="light" className={heroStyles.rosette} />}
      />
      <div className={styles.news}>
        <NewsFilterBar filter={data.filter} />
        <CreatePost mayPublish={mayPublish} onCreated={posts.add} />
        {posts.list.length === 0 &&
          (isFiltered(data.filter) || data.filter.page > 1 ? (
            <Empty title={t('news.nothingFound')}>
              <a href={everything}>{t('news.showAll')}</a>
            </Empty>
          ) : (
            <Empty title={t('news.empty')} />
          ))}
        {posts.list.map((post) => (
          <Post
            key={post._id}
            post={post}
            mayPublish={mayPublish}
            onSaved={posts.replace}
            onDeleted={posts.remove}
            onRestored={posts.add}
          />
        ))}
        <NewsPager filter={data.filter} hasMore={data.hasMore} />
        <NewsletterSignup />
      </div>
    </>
  )
}

export default page<NewsData>({
  load: async ({ call, language, query }) => {
    const filter = readFilter(query)
    const { category, q, page } = filter
    const found = await call(browseAnnouncements, {
      params: { lang: language },
      query: { page, ...(category && { category }), ...(q && { q }) },
    })
    return { language, filter, ...found }
  },
  head: ({ filter }) => ({ isUnlisted: filter.q !== '' }),
  View: NewsView,
})
