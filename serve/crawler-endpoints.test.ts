import { join } from 'node:path'
import { XMLValidator } from 'fast-xml-parser'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import ambassadors from '#content/facts/ambassadors.json'
import { listAmbassadors } from '#contract/people/ambassador-profiles.ts'
import { listPostAddresses, listPostAuthors } from '#contract/publishing/announcements.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import type { Call } from '#web/kernel/call/call.ts'
import { makeSiteContent } from '#api/platform/site-content/site-content.ts'
import { answering, answeringContent } from '#tests/setup/site-content.ts'
import * as entry from '#web/entry.server.tsx'
import { serveForMachines } from './crawler-endpoints.ts'
import { sharePictures } from './share-pictures.ts'

const root = join(import.meta.dirname, '..')
const origin = 'https://coin.example'

const feedPosts = [
  {
    _id: 'p',
    slug: 'a-release',
    title: 'A <release> & more',
    category: 'News',
    language: 'en',
    content: '<p>Out<img src="/assets/media/x.webp" alt="" /></p>',
    contentSummary: '',
    postedDate: '2026-11-02T00:00:00.000Z',
    lastEdited: '2026-11-03T00:00:00.000Z',
    createdBy: { _id: '', displayName: '' },
  },
]

type Dates = { slug: string; language: 'en' | 'cn'; changedAt: string }

/** A site with the English news `posts` and no Chinese news. */
function site(posts: Dates[] | 'unavailable' = []) {
  const app = Fastify()
  const listeners: ((topic: string) => void)[] = []
  const news = { posts, authors: [] as { slug: string; name: string; languages: ('en' | 'cn')[] }[] }
  const people = { joined: [] as { slug: string }[] }
  let calls = 0
  const answer = answeringContent(((endpoint: Endpoint) => {
    if (news.posts === 'unavailable') return Promise.reject(new Error('no database'))
    if (endpoint === listAmbassadors) return Promise.resolve(people.joined)
    if (endpoint === listPostAuthors) return Promise.resolve(news.authors)
    return Promise.resolve(endpoint === listPostAddresses ? news.posts : feedPosts)
  }) as unknown as Call)
  serveForMachines(app, root, entry, {
    publicUrl: new URL(origin),
    runningSince: '2026-11-20T08:00:00.000Z',
    addChangeListener: (listener) => void listeners.push(listener),
    apiCall: (endpoint, input) => {
      calls += 1
      return answer(endpoint, input)
    },
  })
  return {
    news,
    people,
    get: (url: string) => app.inject({ method: 'GET', url }),
    change: (topic: string) => listeners.forEach((listener) => listener(topic)),
    calls: () => calls,
  }
}

const first: Dates = { slug: 'first', language: 'en', changedAt: '2026-11-09T00:00:00.000Z' }
const second: Dates = { slug: 'second', language: 'en', changedAt: '2026-11-05T00:00:00.000Z' }
const translated: Dates = { slug: 'second', language: 'cn', changedAt: '2026-11-06T00:00:00.000Z' }

test('the sitemap has every public page in both languages, each with its counterpart', async () => {
  const { body, headers } = await site().get('/sitemap.xml')
  expect(headers['content-type']).toMatch(/^application\/xml/)
  const listed = [...body.matchAll(/<loc>(.+?)<\/loc>/g)].map((found) => found[1]!.slice(origin.length))
  const expected = entry.served.flatMap((each) => ('isListed' in each && each.isListed ? [each.path] : []))
  const people = ambassadors.flatMap((each) =>
    'note' in each && each.note === 'sample' ? [] : [`/ambassadors/${each.id}`, `/cn/ambassadors/${each.id}`],
  )
  const categories = ['technical-updates', 'news', 'events', 'partnerships'].flatMap((key) => [
    `/news/category/${key}`,
    `/cn/news/category/${key}`,
  ])
  expect(listed).toEqual([...expected, ...categories, ...people])
  expect(listed).toContain('/cn/help')
  expect(listed).not.toContain('/account/user-info')
  for (const path of listed) {
    const common = path.replace(/^\/cn(?=\/)/, '')
    expect(body).toContain(
      `<loc>${origin}${path}</loc>${path === '/news' ? '' : `<xhtml:link rel="alternate" hreflang="en" href="${origin}${common}"/>`}`,
    )
  }
})

test('lists an author’s page in the sitemap in each language in which they published', async () => {
  const { get, news } = site([first])
  news.authors = [
    { slug: 'ada-012345', name: 'Ada', languages: ['en'] },
    { slug: '李-012345', name: '李', languages: ['cn', 'en'] },
  ]
  const { body } = await get('/sitemap.xml')
  expect(body).toContain(`<url><loc>${origin}/news/author/ada-012345</loc></url>`)
  expect(body).not.toContain('/cn/news/author/ada-012345')
  expect(body).toContain(`<loc>${origin}/cn/news/author/%E6%9D%8E-012345</loc><xhtml:link`)
})

test('an ambassador is in the sitemap as soon as the board publishes the profile', async () => {
  const { get, change, people } = site()
  await get('/sitemap.xml')
  people.joined = [{ slug: 'sample-person' }]
  expect((await get('/sitemap.xml')).body).not.toContain('/ambassadors/sample-person<')
  change('ambassadors')
  expect((await get('/sitemap.xml')).body).toContain(`<loc>${origin}/cn/ambassadors/sample-person</loc>`)
})

test('the news page is as recent as its latest post or edit', async () => {
  const { get, change, news, calls } = site([second, first])
  const { body } = await get('/sitemap.xml')
  expect(body).toContain(`<loc>${origin}/news</loc><lastmod>${first.changedAt}</lastmod>`)
  expect(body).toContain(`<loc>${origin}/cn/news</loc><xhtml:link`)

  news.posts = [{ ...first, changedAt: '2026-11-20T00:00:00.000Z' }]
  const known = calls()
  expect((await get('/sitemap.xml')).body).toBe(body)
  change('orders')
  expect((await get('/sitemap.xml')).body).toBe(body)
  expect(calls()).toBe(known)
  change('announcements')
  expect((await get('/sitemap.xml')).body).toContain('<lastmod>2026-11-20T00:00:00.000Z</lastmod>')
})

test('every post is in the sitemap, with its translation if there is one', async () => {
  const { body } = await site([first, second, translated]).get('/sitemap.xml')
  expect(body).toContain(`<url><loc>${origin}/news/first</loc><lastmod>${first.changedAt}</lastmod></url>`)
  const both =
    `<xhtml:link rel="alternate" hreflang="en" href="${origin}/news/second"/>` +
    `<xhtml:link rel="alternate" hreflang="zh-Hans" href="${origin}/cn/news/second"/>`
  for (const [path, at] of [
    ['/news/second', second.changedAt],
    ['/cn/news/second', translated.changedAt],
  ])
    expect(body).toContain(`<url><loc>${origin}${path}</loc><lastmod>${at}</lastmod>${both}</url>`)
})

test('feeds contain the latest posts in full, with absolute addresses', async () => {
  const { get, change } = site()
  const atom = await get('/news.atom')
  expect(atom.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  expect(atom.body).toContain(`<id>${origin}/news/a-release</id><title>A &lt;release&gt; &amp; more</title>`)
  expect(atom.body).toContain('<updated>2026-11-03T00:00:00.000Z</updated>')
  expect(atom.body).toContain(`src=&quot;${origin}/assets/media/x.webp&quot;`)
  const json = (await get('/cn/news.json')).json<{ items: { url: string; content_html: string }[] }>()
  expect(json).toMatchObject({ language: 'zh-Hans', feed_url: `${origin}/cn/news.json` })
  expect(json.items[0]).toMatchObject({
    url: `${origin}/news/a-release`,
    content_html: `<p>Out<img src="${origin}/assets/media/x.webp" alt="" /></p>`,
  })
  feedPosts.length = 0
  expect((await get('/news.atom')).body).toBe(atom.body)
  change('announcements')
  expect((await get('/news.atom')).body).not.toContain('<entry>')
})

test.each([
  '/llms.txt',
  '/cn/manifest.webmanifest',
  '/.well-known/security.txt',
  '/news.atom',
  '/sitemap.xml',
])('%s is cached until the content changes', async (url) => {
  const { get, change, calls } = site()
  await get(url)
  const once = calls()
  await get(url)
  expect(calls()).toBe(once)
  change('content')
  await get(url)
  expect(calls()).toBe(2 * once)
})

test('a list that failed is made again for the next request', async () => {
  const { get, news } = site('unavailable')
  expect((await get('/sitemap.xml')).statusCode).toBe(500)
  news.posts = [second]
  expect((await get('/sitemap.xml')).statusCode).toBe(200)
})

test.each([
  ['/robots.txt', 'text/plain', `Sitemap: ${origin}/sitemap.xml`],
  ['/.well-known/security.txt', 'text/plain', 'Expires: 2027-11-20T08:00:00.000Z'],
  ['/llms.txt', 'text/plain', `${origin}/help`],
  ['/cn/llms.txt', 'text/plain', `${origin}/cn/help`],
  ['/manifest.webmanifest', 'application/manifest+json', '"lang":"en"'],
  ['/cn/manifest.webmanifest', 'application/manifest+json', '"lang":"zh-Hans"'],
  ['/favicon.svg', 'image/svg+xml', '<svg'],
  ['/favicon.ico', 'image/x-icon', ''],
  ['/apple-touch-icon.png', 'image/png', 'PNG'],
])('serves %s as %s', async (url, type, words) => {
  const { statusCode, headers, body } = await site().get(url)
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toMatch(new RegExp(`^${type.replace('+', String.raw`\+`)}`))
  expect(body).toContain(words)
})

test('a page without its own share picture uses that of the site', () => {
  const pictureOf = sharePictures(root)
  const size = { width: 1200, height: 630 }
  expect(pictureOf('help', 'cn')).toEqual({ path: '/assets/share/help-cn.png', ...size, isOwn: true })
  expect(pictureOf('legal.terms', 'en')).toEqual({ path: '/assets/share/site-en.png', ...size, isOwn: false })
  expect(sharePictures('/nowhere')('help', 'en')).toBeNull()
})

test.each([
  ['/feed', '/news.atom'],
  ['/rss.xml', '/news.atom'],
  ['/cn/feed', '/cn/news.atom'],
])('redirects %s permanently to the feed', async (url, feed) => {
  const answer = await site().get(url)
  expect([answer.statusCode, answer.headers.location]).toEqual([301, feed])
})

test('serves a description of the search for browsers in each language', async () => {
  const answer = await site().get('/cn/opensearch.xml')
  expect(answer.headers['content-type']).toBe('application/opensearchdescription+xml; charset=utf-8')
  expect(answer.body).toContain(`<Url type="text/html" template="${origin}/cn/search?q={searchTerms}"/>`)
  expect(answer.body).toContain('<Language>zh-Hans</Language>')
  expect(XMLValidator.validate(answer.body)).toBe(true)
})

test('serves an offline page in every language, and a worker that changes with it', async () => {
  const content = makeSiteContent()
  const app = Fastify()
  const listeners: ((topic: string) => void)[] = []
  serveForMachines(app, root, entry, {
    publicUrl: new URL(origin),
    runningSince: '2026-11-20T08:00:00.000Z',
    addChangeListener: (listener) => void listeners.push(listener),
    apiCall: answering(content),
    hasOfflinePage: true,
  })
  const get = (url: string) => app.inject({ method: 'GET', url })
  const page = await get('/offline.html')
  for (const language of ['en', 'cn'] as const)
    expect(page.body).toContain(content.words(language, 'offline')!['offline.text'])
  expect(page.body).toContain('<a href="">')
  const worker = await get('/sw.js')
  expect(worker.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  })
  content.override(new Map([['messages/offline', { en: { 'offline.text': 'No connection <at all>.' } }]]))
  for (const listener of listeners) listener('content')
  expect((await get('/offline.html')).body).toContain('No connection &lt;at all>.')
  expect((await get('/sw.js')).body).not.toBe(worker.body)
})

test('without an offline page, serves a worker that removes itself and everything stored', async () => {
  const { get } = site()
  const { body } = await get('/sw.js')
  expect(body).toContain('registration.unregister()')
  expect(body).not.toContain("addEventListener('fetch'")
  expect((await get('/offline.html')).statusCode).toBe(404)
})
