import type { Language } from '#contract/fields.ts'
import type { Rendered } from '#web/entry.server.tsx'
import { htmlLanguage } from '#web/i18n/language.ts'
import { compress, makeCachedBody, type CachedBody } from './cached-body.ts'
import { Busy, makePageQueue, ofUnseenPages } from './page-queue.ts'

/** `path` includes the part of the query that the page depends on. */
export type Place = {
  path: string
  topic: string | null
  /** One of the addresses, without number, at which there may be a page. */
  isOpen?: boolean
}
/** `location` is where a page has moved to for good; `retryAfterSeconds` is of a page for which there is no time now. */
export type CachedPage = { status: number; body: CachedBody; location?: string; retryAfterSeconds?: number }
export type GetPage = (place: Place, language: Language, client: string) => Promise<CachedPage>

type PageCache = {
  get: GetPage
  /** Renders and compresses in advance. */
  prepare: (place: Place, language: Language) => Promise<void>
  forget: (topic: string) => void
}

/** Anybody may request any page of a long list, so the cache is bounded: the oldest entries are evicted first. */
const cachedMax = 1000
/** What every page shows. */
const everyPages = 'content'
/** Of pages that depend on the query, so that they drive out only one another. */
const askedMax = 200

/**
 * Rendered pages by address and language. Concurrent requests for a page share one rendering. `isThere` tells addresses at
 * which there is a page: those are finite, so nobody waits for them behind addresses that were made up.
 */
export function makePageCache(
  render: (path: string, language: Language) => Promise<Rendered>,
  sayBusy: (language: Language) => string,
  isThere: (path: string) => boolean = () => false,
): PageCache {
  /** `client` asked for it first, and so it waits among what that client asked for. */
  type Entry = { topic: string | null; client: string; page: Promise<CachedPage> }
  const fixed = new Map<string, Entry>()
  const asked = new Map<string, Entry>()
  const busy = new Map<Language, CachedPage>()
  const queueOfAsked = makePageQueue()
  const queueOfUnseen = makePageQueue(ofUnseenPages)
  /** Where there was a page before, or one that has moved: it is rendered at once, whoever fills the queue. */
  const seen = new Set<string>()

  function queueOf({ path, isOpen }: Place) {
    if (path.includes('?')) return queueOfAsked
    return isOpen && !isThere(path) && !seen.has(path) ? queueOfUnseen : undefined
  }

  function see(path: string, isThere: boolean): void {
    seen.delete(path)
    if (isThere) seen.add(path)
    if (seen.size > cachedMax) seen.delete(seen.keys().next().value!)
  }

  /** Short, because it is answered when there is no time for more. */
  function busyPage(language: Language, { retryAfterSeconds }: Busy): CachedPage {
    const page = busy.get(language) ?? { status: 503, body: busyBody(language, sayBusy(language)) }
    busy.set(language, page)
    return { ...page, retryAfterSeconds }
  }

  async function renderPage(path: string, language: Language): Promise<CachedPage> {
    const rendered = await render(path, language)
    const body = makeCachedBody('text/html; charset=utf-8', rendered.html)
    return rendered.status === 301
      ? { status: 301, body, location: rendered.location }
      : { status: rendered.status, body }
  }

  function enter(place: Place, language: Language, client: string, waited: number): Entry {
    const { path, topic } = place
    const isAsked = path.includes('?')
    const cache = isAsked ? asked : fixed
    // The footer of every page shows the year.
    const key = `${new Date().getUTCFullYear()} ${language} ${path}`
    const known = cache.get(key)
    if (known) return known
    const render = () => renderPage(path, language)
    const queue = queueOf(place)
    const entry = { topic, client, page: queue ? queue.enter(client, render, waited) : render() }
    cache.set(key, entry)
    if (cache.size > (isAsked ? askedMax : cachedMax)) cache.delete(cache.keys().next().value!)
    const forgetThis = () => void (cache.get(key) === entry && cache.delete(key))
    entry.page.then(({ status }) => {
      if (place.isOpen && !isAsked && status !== 503) see(path, status === 200 || status === 301)
      if (status !== 200) forgetThis()
    }, forgetThis)
    return entry
  }

  const get: GetPage = async (place, language, client) => {
    const begun = performance.now()
    for (let isAgain = false; ; isAgain = true) {
      const entry = enter(place, language, client, isAgain ? performance.now() - begun : 0)
      try {
        return await entry.page
      } catch (failure) {
        if (!(failure instanceof Busy)) throw failure
        // Somebody else asked for it first and had to give way: that is no reason against this client.
        if (isAgain || entry.client === client) return busyPage(language, failure)
      }
    }
  }

  return {
    get,
    prepare: async (place, language) => compress((await get(place, language, '')).body),
    forget(topic) {
      if (topic === everyPages) busy.clear()
      for (const cache of [fixed, asked])
        for (const [key, entry] of cache) if (entry.topic === topic || topic === everyPages) cache.delete(key)
    },
  }
}

function busyBody(language: Language, sentence: string): CachedBody {
  const text = sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return makeCachedBody(
    'text/html; charset=utf-8',
    `<!doctype html><html lang="${htmlLanguage[language]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text}</title></head><body><main><p>${text}</p></main></body></html>`,
  )
}
