import { listAnnouncements } from '#contract/announcements.ts'
import { useWords } from '../i18n/words.tsx'
import { page, type PageProps } from '../layout/page.ts'
import { useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { canPublish } from './can-publish.ts'
import { NewsHero } from './news-hero.tsx'
import styles from './news.module.css'
import { Post } from './post.tsx'
import { Publisher } from './publisher.tsx'
import { usePosts, type NewsData } from './use-posts.ts'
import { failureWords } from '../forms/failure-words.ts'

function NewsView({ data }: PageProps<NewsData>) {
  const { t } = useWords()
  const { member } = useSession()
  const posts = usePosts(data)
  const isPublisher = canPublish(member)
  return (
    <>
      <NewsHero />
      <div className={styles.news}>
        <Publisher isPublisher={isPublisher} onCreated={posts.add} />
        {posts.list.length === 0 && <Empty title={t('news.empty')} />}
        {posts.list.map((post) => (
          <Post
            key={post._id}
            post={post}
            isPublisher={isPublisher}
            onSaved={posts.replace}
            onDeleted={posts.remove}
          />
        ))}
        {posts.hasMore && (
          <div className={styles.more}>
            <Button
              kind="quiet"
              busy={posts.isLoading}
              busyLabel={t('forms.loading')}
              onClick={() => void posts.loadMore()}
            >
              {t('news.more')}
            </Button>
          </div>
        )}
        <FormStatus error={posts.failure === undefined ? undefined : failureWords(t, posts.failure)} />
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
