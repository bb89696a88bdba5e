import type { NewsData } from '../announcements/use-posts.ts'
import { htmlLanguage } from '../i18n/language.ts'
import { pathIn } from '../routes.ts'
import type { Described, Thing } from './linked-data.ts'
import { publisher } from './organisation.ts'

/** The announcements of the page, newest first. They have no pages of their own, so each names the list's. */
export function newsArticles(
  { posts }: Pick<NewsData, 'posts'>,
  { origin, language }: Pick<Described, 'origin' | 'language'>,
): Thing[] {
  if (posts.length === 0) return []
  const page = origin + pathIn(language, 'news')
  const list = {
    '@type': 'ItemList',
    itemListElement: posts.map((post, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: {
        '@type': 'NewsArticle',
        '@id': `${page}#${post._id}`,
        headline: post.title,
        articleSection: post.category,
        datePublished: post.postedDate,
        dateModified: post.lastEdited ?? post.postedDate,
        inLanguage: htmlLanguage[post.language],
        mainEntityOfPage: page,
        author: publisher({ origin }),
        publisher: { '@id': `${origin}/#organization` },
      },
    })),
  }
  return [list]
}
