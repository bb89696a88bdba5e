import type { Language } from '#contract/platform/fields.ts'
import type { Rendered } from '#web/entry.server.tsx'
import { htmlLanguage } from '#web/kernel/i18n/language.ts'
import { makeCachedBody, type CachedBody } from './cached-body.ts'
import { cheap, quick } from './compress.ts'
import { getOrRetry } from './get-or-retry.ts'
import { currentDay, makeResponseCache } from './response-cache.ts'
import { Busy, makeRenderQueue, ofUnseenPages } from './render-queue.ts'

/** `path` includes the part of the query that the page depends on. */
export type Place = {
  path: string
  topic: string | null
  /** Whether it belongs to an unlimited set of URLs that may have a page. */
  isOpen?: boolean
}
/**
 * `location` is the permanent new URL of a moved page; `retryAfterSeconds` is set if there is no capacity to render the
 * page now; `isOld` marks a page with a notice, which must not be stored.
 */
export type CachedPage = {
  status: number
  body: CachedBody
  location?: string
  retryAfterSeconds?: number
  isOld?: boolean
}
export type GetPage = (place: Place, language: Language, client: string) => Promise<CachedPage>

type CachedPages = {
  get: GetPage
  forget: (topic: string) => void
}

/** The topic of content that every page shows. */
const everyPages = 'content'
/** The maximum number of URLs to remember that had a page. */
const seenMax = 1000

/**
 * Caches rendered pages by URL and language, together with API responses. Concurrent requests for a page share one
 * rendering. `isThere` tells which URLs have a page: their number is finite, so they never wait behind made-up URLs.
 */
export function makeCachedPages(
  render: (path: string, language: Language) => Promise<Rendered>,
  busyMessage: (language: Language) => string,
  isThere: (path: string) => boolean | Promise<boolean> = () => false,
  responseCache = makeResponseCache(),
): CachedPages {
  const busyPages = makeBusyPages(busyMessage)
  const seen = makeSeenPages()
  const queueOf = makeQueues((path) => seen.has(path) || isThere(path))

  async function makePage(
    place: Place,
    language: Language,
    client: string,
    waited: number,
  ): Promise<CachedPage> {
    const { path, isOpen } = place
    const make = async () => asPage(await render(path, language), path)
    const queue = await queueOf(place)
    const page = await (queue ? queue.enter(client, make, waited) : make())
    if (isOpen && !path.includes('?') && page.status !== 503)
      seen.note(path, page.status === 200 || page.status === 301)
    return page
  }

  /** The first request for a page waits in the queue of its client. */
  const enter = (place: Place, language: Language, client: string, waited: number) =>
    responseCache.get(`page ${currentDay()} ${language} ${place.path}`, {
      topics: [everyPages, ...(place.topic === null ? [] : [place.topic])],
      client,
      make: () => makePage(place, language, client, waited),
      bodyOf: ({ status, body }) => (status === 200 ? body : undefined),
    })

  const get: GetPage = async (place, language, client) => {
    try {
      return await getOrRetry(client, (waited) => enter(place, language, client, waited))
    } catch (failure) {
      if (!(failure instanceof Busy)) throw failure
      return busyPages.pageFor(language, failure)
    }
  }

  return {
    get,
    forget(topic) {
      if (topic === everyPages) busyPages.clear()
      responseCache.forget(topic)
    },
  }
}

function asPage(rendered: Rendered, path: string): CachedPage {
  // Search results are seldom requested again, and a reader is waiting for them.
  const level = path.includes('?') ? cheap : quick
  const body = makeCachedBody('text/html; charset=utf-8', rendered.html, { level })
  return rendered.status === 301
    ? { status: 301, body, location: rendered.location }
    : { status: rendered.status, body }
}

/** Searches, and URLs that may have no page, wait in queues. */
function makeQueues(isKnown: (path: string) => boolean | Promise<boolean>) {
  const queueOfSearches = makeRenderQueue()
  const queueOfUnseen = makeRenderQueue(ofUnseenPages)
  return async ({ path, isOpen }: Place) => {
    if (path.includes('?')) return queueOfSearches
    return isOpen && !(await isKnown(path)) ? queueOfUnseen : undefined
  }
}

/** URLs that had a page or a redirect. They are rendered immediately, even if the queue is full. */
function makeSeenPages() {
  const seen = new Set<string>()
  return {
    has: (path: string) => seen.has(path),
    note(path: string, isThere: boolean): void {
      seen.delete(path)
      if (isThere) seen.add(path)
      if (seen.size > seenMax) seen.delete(seen.keys().next().value!)
    },
  }
}

/** Short pages, because they are sent when there is no capacity for more. */
function makeBusyPages(busyMessage: (language: Language) => string) {
  const made = new Map<Language, CachedPage>()
  const make = (language: Language): CachedPage => {
    const html = busyHtml(language, busyMessage(language))
    return { status: 503, body: makeCachedBody('text/html; charset=utf-8', html) }
  }
  return {
    pageFor(language: Language, { retryAfterSeconds }: Busy): CachedPage {
      const page = made.get(language) ?? make(language)
      made.set(language, page)
      return { ...page, retryAfterSeconds }
    },
    clear: () => made.clear(),
  }
}

export function busyHtml(language: Language, sentence: string): string {
  const text = sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html lang="${htmlLanguage[language]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text}</title></head><body><main><p>${text}</p></main></body></html>`
}
