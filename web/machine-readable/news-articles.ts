import type { Announcement } from '#contract/publishing/announcements.ts'
import { beginningOf, firstPictureOf } from '../announcements/post-beginning.ts'
import type { NewsData } from '../announcements/use-posts.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { pathIn } from '../kernel/routes/routes.ts'
import type { Described, Thing } from './linked-data.ts'
import { publisher } from './organization.ts'

/** The announcements of the page, newest first. */
export function newsArticles({ posts }: Pick<NewsData, 'posts'>, place: Pick<Described, 'origin'>): Thing[] {
  if (posts.length === 0) return []
  const list = {
    '@type': 'ItemList',
    itemListElement: posts.map((post, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: newsArticle(post, place),
    })),
  }
  return [list]
}

/** One announcement, identified by its own URL. */
export function newsArticle(post: Announcement, { origin }: Pick<Described, 'origin'>): Thing {
  const address = origin + pathIn(post.language, 'newsPost', { slug: post.slug })
  const picture = firstPictureOf(post.content)
  return {
    '@type': 'NewsArticle',
    '@id': `${address}#article`,
    headline: post.title,
    description: beginningOf(post.content),
    articleSection: post.category,
    datePublished: post.postedDate,
    dateModified: changedAt(post),
    inLanguage: htmlLanguage[post.language],
    mainEntityOfPage: address,
    ...(picture && { image: origin + picture.path }),
    author: publisher({ origin }),
    publisher: { '@id': `${origin}/#organization` },
  }
}

/** When the post last changed for readers. Edits of the draft before its publication do not count. */
export const changedAt = ({ lastEdited, postedDate }: Announcement): string =>
  lastEdited !== null && lastEdited > postedDate ? lastEdited : postedDate
