import type { ReactNode } from 'react'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { Rosette } from '../kernel/brand/rosette.tsx'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { Tag } from '../kernel/ui/tag.tsx'
import { categoryColor, categoryLabel } from '../kernel/news-choice/category-labels.ts'
import { PostBody } from './post-body.tsx'
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
  const { t, formatDate } = useMessages()
  const category = categoryLabel(post.category)
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
          <p className={styles.meta}>
            <time dateTime={post.postedDate}>{formatDate(post.postedDate)}</time>
            <Tag colour={categoryColor(post.category)}>{category ? t(category) : post.category}</Tag>
          </p>
        }
      />
      <div className={styles.body}>
        <div className={styles.text}>
          {before}
          <PostBody html={post.content} language={post.language} />
        </div>
        {children && <div className={styles.beside}>{children}</div>}
      </div>
    </article>
  )
}
