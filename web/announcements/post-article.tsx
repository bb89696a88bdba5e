import type { ReactNode } from 'react'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { Rosette } from '../kernel/brand/rosette.tsx'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { CardImage } from './card-picture.tsx'
import { keyOf } from './news-filter.ts'
import { PostBody } from './post-body.tsx'
import { PostMeta } from './post-meta.tsx'
import styles from './post-page.module.css'

/** A whole announcement as readers see it. */
export function PostArticle({
  post,
  before,
  children,
}: {
  post: Announcement
  /** Shown above the text. */
  before?: ReactNode
  /** Shown below the text, or beside it in a wide window. */
  children?: ReactNode
}) {
  const { picture } = post
  // If the editor chose a picture from the text, the text already shows it.
  const hasOwnPicture = picture.origin === 'chosen' && !post.content.includes(picture.src)
  return (
    <article>
      <PageHero
        size="low"
        drawing={<Rosette figure="light" className={styles.rosette} />}
        heading={
          <span className={styles.title} lang={htmlLanguage[post.language]}>
            {post.title}
          </span>
        }
        above={
          <PostMeta post={post} tagLink={pathTo('newsOf', { of: 'category', slug: keyOf(post.category) })} />
        }
      />
      <div className={styles.body}>
        <div className={styles.text}>
          {before}
          {hasOwnPicture && (
            <div className={styles.picture}>
              <CardImage picture={picture} sizes="(min-width: 48rem) 42rem, 100vw" isEager />
            </div>
          )}
          <PostBody html={post.content} language={post.language} />
        </div>
        {children && <div className={styles.beside}>{children}</div>}
      </div>
    </article>
  )
}
