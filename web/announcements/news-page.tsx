import { listAnnouncements, type Announcement } from '#contract/announcements.ts'
import type { Language } from '#contract/fields.ts'
import { page, type PageProps } from '../layout/page.ts'
import { useSession } from '../session.ts'
import { canPublish } from './can-publish.ts'
import { NewsHero } from './news-hero.tsx'
import styles from './news.module.css'
import { PostList } from './post-list.tsx'
import { Publisher } from './publisher.tsx'

type NewsData = { language: Language; posts: Announcement[] }

function NewsView({ data }: PageProps<NewsData>) {
  const { member } = useSession()
  return (
    <>
      <NewsHero />
      <div className={styles.news}>
        {/* Another language is another list. */}
        <PostList key={data.language} language={data.language} first={data.posts} isPublisher={canPublish(member)}>
          {(onCreated) => <Publisher onCreated={onCreated} />}
        </PostList>
      </div>
    </>
  )
}

export default page<NewsData>({
  load: async ({ call, language }) => ({
    language,
    posts: await call(listAnnouncements, { params: { lang: language } }),
  }),
  View: NewsView,
})
