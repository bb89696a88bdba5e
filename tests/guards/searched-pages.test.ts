import { expect, test } from 'vitest'
import { makeSiteContent } from '#api/platform/site-content/site-content.ts'
import { listEntries } from '#api/publishing/search/list-entries.ts'
import { searchedPages, unsearchedPages } from '#api/publishing/search/searched-pages.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { oneAnnouncement } from '#tests/setup/one-announcement.ts'
import * as entry from '#web/entry.server.tsx'
import { isPublic, routes } from '#web/kernel/routes/routes.ts'

const files = { languageCheck: '', entry: '', page: '', styles: [], modules: [], fonts: [] }

async function mainOf(path: string, language: 'en' | 'cn'): Promise<string> {
  const request = {
    path,
    language,
    call: oneAnnouncement,
    origin: 'https://coin.example',
    appId: defaultAppId,
  }
  const { html } = await entry.render({ ...request, filesOf: () => files })
  return /<main[^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? ''
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}
const textOf = (html: string) =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)

test('the search lists each public page, or the reason to leave it out', () => {
  const known = [...searchedPages.map(({ path }) => path), ...Object.keys(unsearchedPages)]
  expect(
    routes
      .filter(isPublic)
      .map(({ path }) => path)
      .filter((path) => !known.includes(path)),
  ).toEqual([])
  const paths: string[] = routes.map(({ path }) => path)
  expect(known.filter((path) => !paths.includes(path))).toEqual([])
})

test.each(['en', 'cn'] as const)(
  'the search lists each heading of a searched page in %s',
  async (language) => {
    const entries = listEntries(makeSiteContent(), language, { days: '14', zone: 'UTC' })
    expect(entries.filter(({ title }) => title === '')).toEqual([])
    for (const { path } of searchedPages.filter(({ path }) => !path.startsWith('/login'))) {
      const html = await mainOf(path, language)
      const onPage = entries.filter(({ address }) => address.startsWith(`${path}#`))
      const missing = onPage.filter(({ address }) => !html.includes(` id="${address.split('#')[1]}"`))
      expect({ path, missing }).toEqual({ path, missing: [] })
      const headings = [...html.matchAll(/<h2[^>]*>([^]*?)<\/h2>/g)].map((match) => textOf(match[1]!))
      const titles = onPage.map(({ title }) => title)
      const unfound = headings.filter((heading) => !titles.includes(heading) && !isAside(path))
      expect({ path, unfound }).toEqual({ path, unfound: [] })
    }
  },
)

/** Pages whose headings belong to forms and results, or depend on the state of the sale. */
const isAside = (path: string) => ['/news', '/newsletter', '/contact', '/sale'].includes(path)
