import { expect, test, vi } from 'vitest'
import type { Language } from '#contract/platform/fields.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { makeCachedPages } from './cached-pages.ts'

const news = { path: '/news', topic: 'announcements' }
const home = { path: '/', topic: null }

const busyMessage = (language: Language) => wordsOf(language)('errors.unavailable')

function cacheThatCounts(status: 200 | 503 = 200) {
  const rendered: string[] = []
  const cache = makeCachedPages(async (path, language) => {
    rendered.push(`${language} ${path}`)
    return { status, html: `${language} ${path} ${rendered.length}` }
  }, busyMessage)
  const text = async (place: typeof news | typeof home, language: Language) =>
    (await cache.get(place, language, 'a client')).body.identity.toString()
  return { cache, rendered, text }
}

test('renders a page once per language for concurrent requests', async () => {
  const { rendered, text } = cacheThatCounts()
  await Promise.all([text(home, 'en'), text(home, 'en'), text(home, 'cn')])
  await text(home, 'en')
  expect(rendered).toEqual(['en /', 'cn /'])
})

test('a change is visible to every later request and leaves other pages alone', async () => {
  const { cache, rendered, text } = cacheThatCounts()
  await text(news, 'en')
  await text(home, 'en')
  cache.forget('announcements')
  expect(await text(news, 'en')).toBe('en /news 3')
  await text(home, 'en')
  expect(rendered).toHaveLength(3)
})

test('a change of content is visible on every page', async () => {
  const { cache, rendered, text } = cacheThatCounts()
  await Promise.all([text(news, 'en'), text(home, 'cn')])
  cache.forget('content')
  await Promise.all([text(news, 'en'), text(home, 'cn')])
  expect(rendered).toHaveLength(4)
})

test('does not cache a page without its data', async () => {
  const { rendered, text } = cacheThatCounts(503)
  await text(news, 'en')
  await text(news, 'en')
  expect(rendered).toHaveLength(2)
})

test('a moved page redirects and is not cached, because it may come back', async () => {
  let renders = 0
  const cache = makeCachedPages(async () => {
    renders += 1
    return { status: 301, html: '', location: '/news/now' }
  }, busyMessage)
  expect(await cache.get(news, 'en', 'a client')).toMatchObject({ status: 301, location: '/news/now' })
  await cache.get(news, 'en', 'a client')
  expect(renders).toBe(2)
})

test('retries a page that failed to render', async () => {
  let tries = 0
  const cache = makeCachedPages(() => {
    tries += 1
    return tries === 1 ? Promise.reject(new Error('no')) : Promise.resolve({ status: 200, html: 'yes' })
  }, busyMessage)
  await expect(cache.get(home, 'en', 'a client')).rejects.toThrow('no')
  expect((await cache.get(home, 'en', 'a client')).body.identity.toString()).toBe('yes')
})

test('a client that requests endless missing posts blocks nobody, and visited posts stay available', async () => {
  let holds = Promise.withResolvers<void>()
  const rendered: string[] = []
  const cache = makeCachedPages(async (path) => {
    rendered.push(path)
    if (!path.includes('missing')) return { status: 200, html: path }
    await holds.promise
    return { status: 404, html: '' }
  }, busyMessage)
  const post = (slug: string, client: string) =>
    cache.get({ path: `/news/${slug}`, topic: 'announcements', isOpen: true }, 'en', client)
  expect((await post('known', 'a reader')).status).toBe(200)
  const flood = Array.from({ length: 100 }, (_, n) => post(`missing-${n}`, 'a client'))
  // This holds even after a change, when the page is rendered again, and with a full queue.
  cache.forget('announcements')
  expect((await post('known', 'a client')).status).toBe(200)
  expect((await post('known', 'a reader')).status).toBe(200)
  holds.resolve()
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(80)
  expect(rendered.filter((path) => path.includes('missing')).length).toBe(100 - refused.length)
  holds = Promise.withResolvers()
  const again = Array.from({ length: 100 }, (_, n) => post(`missing-too-${n}`, 'a client'))
  const other = post('new', 'another reader')
  holds.resolve()
  expect((await other).status).toBe(200)
  await Promise.all(again)
})

test('a client that requests endless other pages is told to retry, and popular pages stay', async () => {
  const { cache, rendered } = cacheThatCounts()
  const pageFor = (path: string, client = 'a client', language: Language = 'en') =>
    cache.get({ path, topic: 'announcements' }, language, client)
  await pageFor('/news')
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => pageFor(`/news?q=${n}`, 'a client', n % 2 ? 'cn' : 'en')),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  const [english, chinese] = answers.slice(-2).map(({ body }) => body.identity.toString())
  expect(english).toContain('<html lang="en">')
  expect(english).toContain('Try again in a moment')
  expect(chinese).toMatch(/<html lang="zh-Hans">.*请稍后重试/)
  expect((await pageFor('/news?q=another', 'another client')).status).toBe(200)
  expect((await pageFor('/news?q=0')).status).toBe(200)
  for (let n = 0; n < 300; n += 1) await pageFor(`/news?page=${n}`, `client ${n}`)
  const before = rendered.length
  await pageFor('/news')
  expect(rendered).toHaveLength(before)
})

const open = (path: string) => ({ path, topic: 'announcements', isOpen: true })
/** Renders at once, except unknown addresses, which hang. */
function cacheThatHangs(isThere: (path: string) => boolean = () => false) {
  const held = Promise.withResolvers<void>()
  const cache = makeCachedPages(
    async (path) => {
      if (path.includes('moved')) return { status: 301, html: '', location: '/news/now' }
      if (!path.includes('missing')) return { status: 200, html: path }
      await held.promise
      return { status: 404, html: '' }
    },
    busyMessage,
    isThere,
  )
  const get = (path: string, client = 'a client') => cache.get(open(path), 'en', client)
  return { cache, get, release: held.resolve }
}

test('an existing page never waits behind made-up ones, even before its first visit', async () => {
  const { get, release } = cacheThatHangs((path) => path === '/news/there')
  const flood = Array.from({ length: 60 }, (_, n) => get(`/news/missing-${n}`, `client ${n}`))
  expect((await get('/news/there', 'a reader')).status).toBe(200)
  release()
  await Promise.all(flood)
})

test('a moved page never waits behind made-up ones, nor does any page when the day changes', async () => {
  const { cache, get, release } = cacheThatHangs()
  expect((await get('/news/moved')).status).toBe(301)
  expect((await get('/news/seen')).status).toBe(200)
  cache.forget('announcements')
  const flood = Array.from({ length: 60 }, (_, n) => get(`/news/missing-${n}`, `client ${n}`))
  expect((await get('/news/moved', 'a reader')).status).toBe(301)
  vi.useFakeTimers({ now: new Date().setUTCHours(24, 0, 0, 0), toFake: ['Date'] })
  expect((await get('/news/seen', 'a reader')).status).toBe(200)
  vi.useRealTimers()
  release()
  await Promise.all(flood)
})

test("a client that joins another client's request is not rejected with it", async () => {
  const { get, release } = cacheThatHangs()
  const flood = ['a flood', 'another flood'].flatMap((client) =>
    Array.from({ length: 5 }, (_, n) => get(`/news/missing-${n}-${client}`, client)),
  )
  const shared = [get('/news/missing-wanted', 'another flood'), get('/news/missing-wanted', 'a reader')]
  const others = Array.from({ length: 22 }, (_, n) => get(`/news/missing-${n}`, `client ${n}`))
  release()
  expect((await Promise.all(shared)).map(({ status }) => status)).toEqual([503, 404])
  await Promise.all([...flood, ...others])
})
