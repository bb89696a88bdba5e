import type { ReactNode } from 'react'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { FormattedMessage, useMessages } from '../kernel/i18n/messages.tsx'
import { categoryColor, categoryLabel } from '../kernel/news-choice/category-labels.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { Tag } from '../kernel/ui/tag.tsx'
import styles from './post-meta.module.css'

type Meta = Pick<Announcement, 'postedDate' | 'category' | 'readingMinutes'> &
  Partial<Pick<Announcement, 'byline'>>

/** Date, category, reading time, and author of a post. `tagLink` is the link of the category, if it has one. */
export function PostMeta({
  post: { postedDate, category, readingMinutes, byline },
  tagLink,
}: {
  post: Meta
  tagLink?: string
}) {
  const { t, formatDate } = useMessages()
  const label = categoryLabel(category)
  const tag = <Tag colour={categoryColor(category)}>{label ? t(label) : category}</Tag>
  return (
    <p className={styles.meta}>
      <time dateTime={postedDate}>{formatDate(postedDate)}</time>
      {tagLink ? <a href={tagLink}>{tag}</a> : tag}
      {byline && (
        <span>
          <FormattedMessage
            k="news.byline"
            values={{ name: byline.name }}
            tags={{
              author: (name: ReactNode) => (
                <a href={pathTo('newsOf', { of: 'author', slug: byline.slug })}>{name}</a>
              ),
            }}
          />
        </span>
      )}
      <span>{t('news.readingTime', { minutes: readingMinutes })}</span>
    </p>
  )
}
