import type { Language } from '#contract/fields.ts'
import type { AmbassadorData } from '../ambassadors/badge/ambassador-page.tsx'
import type { PostData } from '../announcements/post-page.tsx'
import type { NewsData } from '../announcements/use-posts.ts'
import type { LocalizedBrand } from '../content/brand.tsx'
import type { PlainKey } from '../i18n/message-key.ts'
import type { HelpFacts } from '../site/help/help-facts.ts'
import { breadcrumbs } from './breadcrumbs.ts'
import { newsArticle, newsArticles } from './news-articles.ts'
import { profilePage } from './profile-page.ts'
import { organization, webSite } from './organization.ts'
import { questions } from './questions.ts'
import type { Route, RouteName } from '../routes/routes.ts'

/** A thing as https://schema.org describes it. */
export type Thing = { '@type': string; [property: string]: unknown }

export type Described = {
  route: Route
  /** The result of the page's `load` function. */
  data: unknown
  language: Language
  brand: LocalizedBrand
  /** Scheme and host, without a trailing slash. */
  origin: string
  say: (key: PlainKey) => string
}

const thingsOn: Partial<Record<RouteName, (page: Described) => Thing[]>> = {
  home: (page) => [organization(page), webSite(page)],
  help: (page) => [questions(page.data as HelpFacts, page)],
  news: (page) => newsArticles(page.data as NewsData, page),
  ambassador: (page) => profilePage(page.data as AmbassadorData, page),
  newsPost: (page) => [newsArticle((page.data as PostData).post, page)],
}

/** The structured data of a public page for search engines, as JSON-LD. */
export function linkedDataOf(page: Described): object {
  const things = thingsOn[page.route.name]?.(page) ?? []
  const trail = page.route.name === 'home' ? [] : [breadcrumbs(page)]
  return { '@context': 'https://schema.org', '@graph': [...things, ...trail] }
}
