import type { AnnouncementCard } from '#contract/publishing/announcements.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { pathIn } from '../kernel/routes/routes.ts'
import { CardPicture } from './card-picture.tsx'
import { PostMeta } from './post-meta.tsx'
import styles from './related-posts.module.css'

/** Other posts on the same subject, at the end of a post. */
export function RelatedPosts({ posts }: { posts: readonly AnnouncementCard[] }) {
  const { t } = useMessages()
  if (posts.length === 0) return null
  return (
    <section className={styles.related} aria-labelledby="related-posts">
      <h2 id="related-posts">{t('news.related')}</h2>
      <ul className={styles.list}>
        {posts.map((post) => {
          const path = pathIn(post.language, 'newsPost', { slug: post.slug })
          return (
            <li key={post.slug} className={styles.card}>
              <CardPicture picture={post.picture} href={path} sizes="(min-width: 48rem) 26rem, 100vw" />
              <PostMeta post={post} />
              <h3 lang={htmlLanguage[post.language]}>
                <a href={path}>{post.title}</a>
              </h3>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
