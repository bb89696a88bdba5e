import { expect, test } from 'vitest'
import { email, name } from '#content/brand.json'
import faq from '#content/facts/faq.json'
import technicalHelp from '#content/facts/technical-help.json'
import { languages, type Language } from '#contract/platform/languages.ts'
import { getRoute, isListed, routes, type RouteName } from '../kernel/routes/routes.ts'
import { presentedPlainly } from '#tests/setup/presented-plainly.ts'
import { allFacts, brandOf } from '#tests/setup/site-content.ts'
import { helpFacts } from '../site/help/help-facts.ts'
import { linkedDataOf, type Thing } from './linked-data.ts'

const origin = 'https://coin.example'

function thingsOn(route: RouteName, language: Language, data?: unknown): Thing[] {
  const described = {
    route: getRoute(route),
    data,
    language,
    brand: brandOf(language),
    origin,
    say: (key: string) => `says ${key}`,
  }
  return (linkedDataOf(described) as { '@graph': Thing[] })['@graph']
}

const post = {
  _id: 'p1',
  slug: 'version-2',
  title: 'Version 2 </script>',
  category: 'News',
  language: 'cn' as const,
  content: '<p>x</p>',
  contentSummary: '<p>x</p>',
  postedDate: '2026-11-02T09:00:00.000Z',
  lastEdited: null,
  createdBy: { _id: 'm1', displayName: 'Somebody' },
  ...presentedPlainly,
}

test('the home page names the organization behind the site', () => {
  const [organization, webSite] = thingsOn('home', 'en')
  expect(organization).toMatchObject({ '@type': 'Organization', name, email, url: `${origin}/` })
  expect(webSite).toMatchObject({
    '@type': 'WebSite',
    inLanguage: ['en', 'zh-Hans'],
    publisher: { '@id': organization!['@id'] },
  })
})

test.each(languages)('the help page has every question in %s with its full answer', (language) => {
  const [page] = thingsOn('help', language, helpFacts(allFacts, brandOf(language), language))
  const entries = page!['mainEntity'] as { name: string; acceptedAnswer: { text: string } }[]
  expect(entries.map((entry) => entry.name)).toEqual([
    faq.main[language].question,
    ...[...faq.questions, ...technicalHelp].map((each) => each[language].question),
  ])
  expect(entries[0]!.acceptedAnswer.text.match(/<li>/g)).toHaveLength(faq.main[language].items.length)
  const wordsIn = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&')
  expect(entries.slice(1).map(({ acceptedAnswer }) => wordsIn(acceptedAnswer.text))).toEqual(
    [...faq.questions, ...technicalHelp].map((each) => each[language].answer.join('')),
  )
})

test('the news page lists its announcements with their dates and language', () => {
  const editedBefore = { ...post, _id: 'p3', lastEdited: '2001-01-01T10:00:00.000Z' }
  const edited = { ...post, _id: 'p2', lastEdited: '2026-11-03T10:00:00.000Z' }
  const [list] = thingsOn('news', 'cn', { language: 'cn', posts: [edited, post, editedBefore] })
  const items = (list!['itemListElement'] as { position: number; item: Thing }[]).map(({ item }) => item)
  expect(items).toMatchObject([
    { datePublished: post.postedDate, dateModified: edited.lastEdited },
    {
      '@type': 'NewsArticle',
      headline: post.title,
      datePublished: post.postedDate,
      dateModified: post.postedDate,
      inLanguage: 'zh-Hans',
      mainEntityOfPage: `${origin}/cn/news/version-2`,
      publisher: { '@id': `${origin}/#organization` },
    },
    { datePublished: post.postedDate, dateModified: post.postedDate },
  ])
})

test('the news page without announcements lists none', () => {
  expect(thingsOn('news', 'en', { language: 'en', posts: [] }).map((thing) => thing['@type'])).toEqual([
    'BreadcrumbList',
  ])
})

test.each(routes.filter((route) => isListed(route) && route.name !== 'home').map(({ name }) => name))(
  'the breadcrumbs to %s start at home and use short labels',
  (route) => {
    const data = route === 'help' ? helpFacts(allFacts, brandOf('cn'), 'cn') : { posts: [] }
    const trail = thingsOn(route, 'cn', data).find((thing) => thing['@type'] === 'BreadcrumbList')
    const steps = trail!['itemListElement'] as { name: string; item: string }[]
    expect(steps.map(({ item }) => item)).toEqual([`${origin}/cn/`, `${origin}/cn${getRoute(route).path}`])
    expect(steps.map(({ name }) => name).join()).not.toContain('says meta.')
  },
)
