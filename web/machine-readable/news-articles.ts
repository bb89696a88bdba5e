import type { Announcement, Byline } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/languages.ts'
import { beginningOf } from '../announcements/post-beginning.ts'
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
export function newsArticle(
  post: Announcement,
  { origin, share }: Pick<Described, 'origin'> & { share?: string },
): Thing {
  const address = origin + pathIn(post.language, 'newsPost', { slug: post.slug })
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
    timeRequired: `PT${post.readingMinutes}M`,
    // Search engines do not show SVG drawings.
    ...((share ?? post.picture.origin !== 'drawn') && { image: origin + (share ?? post.picture.src) }),
    author: post.byline ? person(post.byline, post.language, origin) : publisher({ origin }),
    publisher: { '@id': `${origin}/#organization` },
  }
}

const person = ({ name, slug }: Byline, language: Language, origin: string): Thing => ({
  '@type': 'Person',
  name,
  url: origin + pathIn(language, 'newsOf', { of: 'author', slug }),
})

/** When the post last changed for readers. Edits of the draft before its publication do not count. */
export const changedAt = ({ lastEdited, postedDate }: Announcement): string =>
  lastEdited !== null && lastEdited > postedDate ? lastEdited : postedDate
