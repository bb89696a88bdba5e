import type { Language } from '#contract/platform/fields.ts'
import type { AmbassadorData } from '../ambassadors/badge/ambassador-page.tsx'
import { keyOf } from '../announcements/news-filter.ts'
import type { NewsOfData } from '../announcements/news-of-page.tsx'
import type { PostData } from '../announcements/post-page.tsx'
import type { NewsData } from '../announcements/use-posts.ts'
import type { LocalizedBrand } from '../kernel/content/brand.tsx'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import type { HelpFacts } from '../site/help/help-facts.ts'
import type { SaleData } from '../site/sale-page.tsx'
import { newsArticle, newsArticles } from './news-articles.ts'
import { organization, webSite } from './organization.ts'
import { offersOfSale, stepsOfSale } from './sale-offers.ts'
import { labelOf, pathIn, type Route, type RouteName } from '../kernel/routes/routes.ts'

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
  sale: (page) => {
    const { sale } = page.data as SaleData
    return sale ? [...offersOfSale(sale, page), stepsOfSale(page)] : []
  },
  ambassador: (page) => profilePage(page.data as AmbassadorData, page),
  newsOf: (page) => newsArticles(page.data as NewsOfData, page),
  newsPost: (page) => {
    const { post, sharePicture } = page.data as PostData
    return [newsArticle(post, { origin: page.origin, share: sharePicture.src })]
  },
}

/** The structured data of a public page for search engines, as JSON-LD. */
export function linkedDataOf(page: Described): object {
  const things = thingsOn[page.route.name]?.(page) ?? []
  const trail = page.route.name === 'home' ? [] : [breadcrumbs(page)]
  return { '@context': 'https://schema.org', '@graph': [...things, ...trail] }
}

/** The breadcrumb trail from the home page to this page. */
function breadcrumbs({ route, language, origin, say, data }: Described): Thing {
  const one = oneOf(route.name, data, language)
  const way: RouteName[] = ['home', (one && route.within) ?? route.name]
  const end = one && [
    { '@type': 'ListItem', position: way.length + 1, name: one.name, item: origin + one.path },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      ...way.map((name, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: say(labelOf(name)),
        item: origin + pathIn(language, name),
      })),
      ...(end ?? []),
    ],
  }
}

/** The last breadcrumb of a page for a single item. */
function oneOf(name: RouteName, data: unknown, language: Language): { name: string; path: string } | null {
  if (name === 'newsOf') {
    const list = data as NewsOfData
    return list.of === 'category'
      ? {
          name: list.head.title,
          path: pathIn(language, 'newsOf', { of: 'category', slug: keyOf(list.category) }),
        }
      : {
          name: list.author.name,
          path: pathIn(language, 'newsOf', { of: 'author', slug: list.author.slug }),
        }
  }
  if (name === 'newsPost') {
    const { post } = data as PostData
    return { name: post.title, path: pathIn(post.language, 'newsPost', { slug: post.slug }) }
  }
  const person = name === 'ambassador' ? (data as AmbassadorData).person : null
  return person && { name: person.name, path: pathIn(language, 'ambassador', { slug: person.slug }) }
}

/** Structured data for the page of a current ambassador. */
function profilePage(
  { person }: AmbassadorData,
  { origin, language }: Pick<Described, 'origin' | 'language'>,
): Thing[] {
  if (!person) return []
  const address = origin + pathIn(language, 'ambassador', { slug: person.slug })
  return [
    {
      '@type': 'ProfilePage',
      '@id': address,
      inLanguage: htmlLanguage[language],
      mainEntity: {
        '@type': 'Person',
        '@id': `${address}#person`,
        name: person.name,
        ...(person.sentence && { description: person.sentence }),
        ...(person.photo && { image: origin + person.photo }),
        ...(person.link && { sameAs: person.link }),
        affiliation: { '@id': `${origin}/#organization` },
      },
    },
  ]
}

/** Every question of the help page with its full answer, which may contain simple HTML. */
const questions = (
  { main, questions, technical }: Pick<HelpFacts, 'main' | 'questions' | 'technical'>,
  { language }: Pick<Described, 'language'>,
): Thing => ({
  '@type': 'FAQPage',
  inLanguage: htmlLanguage[language],
  mainEntity: [
    answered(main.question, `${paragraph(main.intro)}<ol>${main.items.map(item).join('')}</ol>`),
    ...[...questions, ...technical].map(({ question, answer }) =>
      answered(question, answer.map(paragraph).join('')),
    ),
  ],
})

const answered = (name: string, text: string): Thing => ({
  '@type': 'Question',
  name,
  acceptedAnswer: { '@type': 'Answer', text },
})

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const paragraph = (text: string): string => `<p>${escape(text)}</p>`
const item = (text: string): string => `<li>${escape(text)}</li>`
