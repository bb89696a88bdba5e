import { describe, expect, test } from 'vitest'
import { name, tagline } from '#content/brand.json'
import { defaultAppId } from '#contract/people/apps.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { oneAnnouncement } from '#tests/setup/one-announcement.ts'
import { answeringContent } from '#tests/setup/site-content.ts'
import type { Call } from './kernel/call/call.ts'
import { matchRoute } from './kernel/routes/match-route.ts'
import { memberPages, render, served } from './entry.server.tsx'

const files = { languageCheck: '/l.js', entry: '/e.js', page: '/p.js', styles: [], modules: [], fonts: [] }

const htmlOf = async (path: string, language: Language, others: Call = oneAnnouncement) =>
  render({
    path,
    language,
    call: answeringContent(others),
    origin: 'https://coin.example',
    appId: defaultAppId,
    filesOf: () => files,
  })

/** The visible page, without the serialized data after it. */
const textOf = (html: string): string =>
  html.replace(/<script[\s\S]*?<\/script>/g, '').replaceAll(/<[^>]*>/g, '\n')

const keys = new Set(
  Object.values(
    import.meta.glob<Record<string, string>>('../content/messages/en/*.json', {
      import: 'default',
      eager: true,
    }),
  ).flatMap((words) => Object.keys(words)),
)

const pages = served.flatMap((entry) =>
  'redirect' in entry
    ? []
    : [{ ...entry, path: entry.path.replace(':of/:slug', 'category/events').replace(':slug', 'version-2') }],
)

const isUnlisted = (path: string) => matchRoute(path)?.route.isUnlisted === true

describe.each(languages)('in %s', (language) => {
  test.each(pages.map((page) => [page.path, page] as const))(
    '%s is complete',
    async (path, { isReady, isPublic }) => {
      const { html, status } = await htmlOf(path, language)
      expect(status).toBe(200)
      const text = textOf(html)
      expect(text.split(/[^\w.-]+/).filter((word) => keys.has(word))).toEqual([])
      expect(text.match(/\{\w+\}/g)).toBeNull()
      // The shell of a member page contains the files that it starts with.
      const isOfMember = memberPages.some((each) => each.path === path && each.guard === 'member')
      expect(html.match(/<h1[\s>]/g)?.length ?? 0).toBe(isReady || isOfMember ? 1 : 0)
      expect(html.match(/<main[\s>]/g)).toHaveLength(1)
      expect(/<title>(.+?)<\/title>/.exec(html)?.[1]).toBeTruthy()
      expect(/name="description" content="(.+?)"/.exec(html)?.[1]).toBeTruthy()
      expect(html.includes('content="noindex"')).toBe(!isPublic || isUnlisted(path))
      expect(html).not.toMatch(/\sstyle="/)
    },
  )
})

test('a missing page is 404, not a server error', async () => {
  const gone = (() => Promise.reject(Object.assign(new Error('gone'), { status: 404 }))) as Call
  expect(await htmlOf('/news/author/gone', 'en', gone)).toEqual({ status: 404, html: '' })
})

test('a missing post gets an unindexed 404 page with the words of its address in the search field', async () => {
  const gone = (() => Promise.reject(Object.assign(new Error('gone'), { status: 404 }))) as Call
  const { status, html } = await htmlOf('/news/gone-since-then', 'en', gone)
  expect(status).toBe(404)
  expect(html).toContain('content="noindex"')
  expect(html).toContain('value="gone since then"')
})

test('the old address of an announcement redirects to its current one, in the requested form', async () => {
  for (const [path, location] of [
    ['/news/version-two', '/news/version-2'],
    ['/cn/news/version-two', '/cn/news/version-2'],
  ] as const)
    expect(await htmlOf(path, 'cn')).toEqual({ status: 301, html: '', location })
})

test('an announcement in one language declares only that language to every reader', async () => {
  const inEnglish = (async (...given: Parameters<Call>) => ({
    ...((await oneAnnouncement(...given)) as object),
    languages: ['en'],
  })) as Call
  const { html } = await htmlOf('/news/version-2', 'cn', inEnglish)
  expect(html).toContain('<link rel="canonical" href="https://coin.example/news/version-2">')
  expect(html).not.toContain('hreflang="zh-Hans"')
  expect(html).toContain('<meta property="og:type" content="article">')
  expect(html).toContain('<title>Version 2 · ')
  expect(html).toContain('name="description" content="It is out."')
})

test('pages of a list are indexed separately; search results are not', async () => {
  const { html } = await htmlOf('/news?page=2&from=mail', 'en')
  expect(html).toContain('<link rel="canonical" href="https://coin.example/news?page=2">')
  expect((await htmlOf('/news?q=node', 'en')).html).toContain('content="noindex"')
})

test('an older address with the category in the query names the page of the category', async () => {
  const { html } = await htmlOf('/news?page=2&category=events', 'en')
  expect(html).toContain('<link rel="canonical" href="https://coin.example/news/category/events?page=2">')
  expect(html).toContain('hreflang="zh-Hans" href="https://coin.example/cn/news/category/events?page=2"')
  expect((await htmlOf('/cn/news?category=events', 'cn')).html).toContain(
    '<link rel="canonical" href="https://coin.example/cn/news/category/events">',
  )
})

test('a Chinese address contains only Chinese text', async () => {
  const { html } = await htmlOf('/cn/', 'cn')
  expect(html).toContain('<html lang="zh-Hans">')
  expect(html).toContain('<link rel="canonical" href="https://coin.example/cn/">')
  expect(textOf(html)).not.toContain('Skip to content')
})

const publicPages = pages.filter(({ isPublic, path }) => isPublic && !isUnlisted(path))

test.each(publicPages.map(({ path }) => path))(
  '%s names its canonical address and the one in the other language',
  async (path) => {
    const common = path.replace(/^\/cn(?=\/)/, '')
    const addresses = { en: `https://coin.example${common}`, cn: `https://coin.example/cn${common}` }
    // A visitor who has chosen Chinese also gets it at the address without a prefix.
    for (const language of path === common ? languages : (['cn'] as const)) {
      const { html } = await htmlOf(path, language)
      expect(html).toContain(`<link rel="canonical" href="${addresses[language]}">`)
      expect(html).toContain(`<meta property="og:url" content="${addresses[language]}">`)
      const alternates = [...html.matchAll(/hreflang="(.+?)" href="(.+?)"/g)].map((found) => found.slice(1))
      expect(alternates.slice(0, 3)).toEqual([
        ['en', addresses.en],
        ['zh-Hans', addresses.cn],
        ['x-default', addresses.en],
      ])
    }
  },
)

test('share pictures have absolute addresses', async () => {
  const pictureOf = (name: string) => ({ path: `/${name}.png`, width: 2, height: 1, isOwn: name === 'help' })
  const withPicture = (path: string) =>
    render({
      path,
      language: 'en',
      call: oneAnnouncement,
      origin: 'https://coin.example',
      appId: defaultAppId,
      filesOf: () => files,
      pictureOf,
    })
  const { html } = await withPicture('/help')
  expect(html).toContain('property="og:image" content="https://coin.example/help.png"')
  expect(html).toContain(`property="og:image:alt" content="${/<title>(.+?)<\/title>/.exec(html)![1]}"`)
  const other = (await withPicture('/legal/terms')).html
  expect(other).toContain(`property="og:image:alt" content="${name}: ${tagline.en}"`)
})

test('a page includes its own messages and no others', async () => {
  const { html } = await htmlOf('/login/signin', 'en')
  const data = /id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  expect(data).toContain('"login.signin.heading"')
  expect(data).not.toContain('"home.hero.title"')
})
