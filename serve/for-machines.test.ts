import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Call } from '#web/call.ts'
import * as entry from '#web/entry.server.tsx'
import { serveForMachines } from './for-machines.ts'
import { sharePictures } from './share-pictures.ts'

const root = join(import.meta.dirname, '..')
const origin = 'https://coin.example'

type Dates = { postedDate: string; lastEdited: string | null }

/** A site whose English news hold `posts`; the Chinese ones are empty. */
function site(posts: Dates[] | 'unavailable' = []) {
  const app = Fastify()
  const tell: ((topic: string) => void)[] = []
  const news = { posts }
  let calls = 0
  serveForMachines(app, root, entry, {
    publicUrl: new URL(origin),
    runningSince: '2026-11-20T08:00:00.000Z',
    forgetOn: (listener) => void tell.push(listener),
    apiCall: ((_endpoint: unknown, { params }: { params: { lang: string } }) => {
      calls += 1
      if (news.posts === 'unavailable') return Promise.reject(new Error('no database'))
      return Promise.resolve(params.lang === 'en' ? news.posts : [])
    }) as unknown as Call,
  })
  return {
    news,
    get: (url: string) => app.inject({ method: 'GET', url }),
    change: (topic: string) => tell.forEach((listener) => listener(topic)),
    calls: () => calls,
  }
}

const first = { postedDate: '2026-11-01T00:00:00.000Z', lastEdited: '2026-11-09T00:00:00.000Z' }
const second = { postedDate: '2026-11-05T00:00:00.000Z', lastEdited: null }

test('the list of pages has every public one in both languages, each with the other beside it', async () => {
  const { body, headers } = await site().get('/sitemap.xml')
  expect(headers['content-type']).toMatch(/^application\/xml/)
  const listed = [...body.matchAll(/<loc>(.+?)<\/loc>/g)].map((found) => found[1]!.slice(origin.length))
  const expected = entry.served.flatMap((each) => ('isPublic' in each && each.isPublic ? [each.path] : []))
  expect(listed).toEqual(expected)
  expect(listed).toContain('/cn/help')
  expect(listed).not.toContain('/account/user-info')
  for (const path of listed) {
    const common = path.replace(/^\/cn(?=\/)/, '')
    expect(body).toContain(
      `<loc>${origin}${path}</loc>${path === '/news' ? '' : `<xhtml:link rel="alternate" hreflang="en" href="${origin}${common}"/>`}`,
    )
  }
})

test('the news page is as new as its latest announcement or edit', async () => {
  const { get, change, news, calls } = site([second, first])
  const { body } = await get('/sitemap.xml')
  expect(body.match(/<lastmod>.*?<\/lastmod>/g)).toEqual([`<lastmod>${first.lastEdited}</lastmod>`])
  expect(body).toContain(`<loc>${origin}/news</loc><lastmod>`)

  news.posts = [{ postedDate: '2026-11-20T00:00:00.000Z', lastEdited: null }]
  const known = calls()
  expect((await get('/sitemap.xml')).body).toBe(body)
  change('orders')
  expect((await get('/sitemap.xml')).body).toBe(body)
  expect(calls()).toBe(known)
  change('announcements')
  expect((await get('/sitemap.xml')).body).toContain('<lastmod>2026-11-20T00:00:00.000Z</lastmod>')
})

test('a list that could not be made is made anew by the next who asks', async () => {
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
])('%s is there as %s', async (url, type, words) => {
  const { statusCode, headers, body } = await site().get(url)
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toMatch(new RegExp(`^${type.replace('+', String.raw`\+`)}`))
  expect(body).toContain(words)
})

test('a page without a picture of its own is shared with that of the site', () => {
  const pictureOf = sharePictures(root)
  const size = { width: 1200, height: 630 }
  expect(pictureOf('help', 'cn')).toEqual({ path: '/assets/share/help-cn.png', ...size, isOwn: true })
  expect(pictureOf('legal.terms', 'en')).toEqual({ path: '/assets/share/site-en.png', ...size, isOwn: false })
  expect(sharePictures('/nowhere')('help', 'en')).toBeNull()
})
