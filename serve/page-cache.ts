import type { Language } from '#contract/fields.ts'
import type { Rendered } from '#web/entry.server.tsx'
import { compress, makeCachedBody, type CachedBody } from './cached-body.ts'

/** `path` includes the part of the query that the page depends on. */
export type Place = { path: string; topic: string | null }
/** `location` is where a page has moved to for good. */
export type CachedPage = { status: number; body: CachedBody; location?: string }
export type GetPage = (place: Place, language: Language) => Promise<CachedPage>

type PageCache = {
  get: GetPage
  /** Renders and compresses in advance. */
  prepare: (place: Place, language: Language) => Promise<void>
  forget: (topic: string) => void
}

/** Anybody may request any page of a long list, so the cache is bounded: the oldest entries are evicted first. */
const cachedMax = 1000

/** Rendered pages by address and language. Concurrent requests for a page share one rendering. */
export function makePageCache(render: (path: string, language: Language) => Promise<Rendered>): PageCache {
  const cache = new Map<string, { topic: string | null; page: Promise<CachedPage> }>()

  async function renderPage(path: string, language: Language): Promise<CachedPage> {
    const rendered = await render(path, language)
    const body = makeCachedBody('text/html; charset=utf-8', rendered.html)
    return rendered.status === 301
      ? { status: 301, body, location: rendered.location }
      : { status: rendered.status, body }
  }

  const get: GetPage = ({ path, topic }, language) => {
    // The footer of every page shows the year.
    const key = `${new Date().getUTCFullYear()} ${language} ${path}`
    const known = cache.get(key)
    if (known) return known.page
    const entry = { topic, page: renderPage(path, language) }
    cache.set(key, entry)
    if (cache.size > cachedMax) cache.delete(cache.keys().next().value!)
    const forgetThis = () => void (cache.get(key) === entry && cache.delete(key))
    entry.page.then(({ status }) => status !== 200 && forgetThis(), forgetThis)
    return entry.page
  }

  return {
    get,
    prepare: async (place, language) => compress((await get(place, language)).body),
    forget(topic) {
      for (const [key, entry] of cache) if (entry.topic === topic) cache.delete(key)
    },
  }
}
