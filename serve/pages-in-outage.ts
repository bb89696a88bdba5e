import { setTimeout as pause } from 'node:timers/promises'
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import { MIB } from '#contract/fields.ts'
import { makeCachedBody, type CachedBody } from './response-cache/cached-body.ts'
import type { CachedPage, GetPage, Place } from './response-cache/cached-pages.ts'

/** Size limit for stale pages in bytes, uncompressed. */
const bytesMaxDefault = 16 * MIB
/** How long a page with changeable data is served while its validity cannot be checked. */
const shownFor = HOUR
/**
 * The same after a lost connection is restored. By the end of this time the page has been rendered again, unless the
 * connection was lost again.
 */
const doubtfulFor = MINUTE
/** Delay before pages are rendered again after a change, because changes come in bursts. */
const refreshAfter = SECOND / 4
/** The maximum number of pages rendered again after a change. Pages of single posts come last. */
const refreshMax = 300

type Outage = {
  /** Start of the database outage according to `performance.now()`. */
  awaySince: () => number | undefined
  /** Whether change notifications work. If so, an invalidated page has changed; otherwise it only may have. */
  isHeard: () => boolean
  /** Adds a notice to the page that it may be outdated. */
  mark: (html: string, language: Language) => string
}

type PageRequest = { place: Place; language: Language }
type Former = PageRequest & {
  page: CachedPage
  bytes: number
  /** When it was reported as possibly changed. */
  doubtfulSince?: number
  /** Since when it has lacked newly published content. */
  behindSince?: number
}

/** Pages as they were last rendered, by URL and language. */
function makeFormerPages(bytesMax: number) {
  const former = new Map<string, Former>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= former.get(key)?.bytes ?? 0
    former.delete(key)
  }

  return {
    remove,
    remember(key: string, request: PageRequest, page: CachedPage): void {
      if (former.get(key)?.page.body === page.body) return
      remove(key)
      const size = page.body.identity.length
      former.set(key, { ...request, page, bytes: size })
      bytes += size
      for (const oldest of former.keys()) if (bytes > bytesMax) remove(oldest)
    },

    /** The stale page, if it may still be served in an outage that began at `since`. */
    pageAt(key: string, since: number): CachedPage | undefined {
      const found = former.get(key)
      if (!found) return undefined
      const now = performance.now()
      const isDoubtful = found.doubtfulSince !== undefined && now - found.doubtfulSince > doubtfulFor
      const isOld = found.place.topic !== null && now - since > shownFor
      // By then it would have been rendered again, unless too many pages had changed.
      const isBehind = found.behindSince !== undefined && since - found.behindSince > doubtfulFor
      return isDoubtful || isOld || isBehind ? undefined : found.page
    },

    /** Returns the pages that show a topic. */
    listWith: (topic: string): [string, Former][] =>
      [...former].filter(([, { place }]) => topic === 'content' || place.topic === topic),
  }
}

/** Adds the notice to pages. Each is made once. */
function makeNotices(mark: Outage['mark']) {
  const marked = new WeakMap<CachedBody, CachedBody>()
  return (page: CachedPage, language: Language): CachedPage => {
    const { body } = page
    const made =
      marked.get(body) ??
      makeCachedBody(body.type, mark(body.identity.toString(), language), { isShortLived: true })
    marked.set(body, made)
    return { ...page, body: made, isOld: true }
  }
}

type Refreshing = {
  render: (request: PageRequest) => Promise<CachedPage>
  isAway: () => boolean
  countChanges: () => number
}

/** Renders changed pages again in the background. */
function makeRefresher({ render, isAway, countChanges }: Refreshing) {
  /** Pages to render again. Failed ones stay until the next change, such as the database coming back. */
  const outdated = new Map<string, PageRequest>()
  let refreshing: Promise<void> | undefined

  /**
   * Renders pages one at a time with pauses of equal length, so that visitors do not have to wait. Returns whether to
   * continue.
   */
  async function refreshOne(key: string, request: PageRequest): Promise<boolean> {
    const [startedAt, changesBefore] = [performance.now(), countChanges()]
    // During an outage, pages that cannot be rendered would only wait.
    const page = isAway() ? undefined : await render(request).catch(() => {})
    if (!page || page.status === 503 || page.isOld) return false
    if (countChanges() === changesBefore) outdated.delete(key)
    await pause(performance.now() - startedAt, undefined, { ref: false })
    return true
  }

  async function refresh(): Promise<void> {
    await pause(refreshAfter, undefined, { ref: false })
    // A page that changes during rendering is rendered again.
    for (let seen = -1; seen !== countChanges();) {
      seen = countChanges()
      for (const [key, request] of outdated) if (!(await refreshOne(key, request))) return
    }
  }

  return {
    remove: (key: string) => void outdated.delete(key),
    add(changed: readonly [string, PageRequest][]): void {
      for (const [key, request] of changed.toSorted(
        ([, a], [, b]) => Number(!!a.place.isOpen) - Number(!!b.place.isOpen),
      ))
        if (outdated.size < refreshMax) outdated.set(key, request)
      if (outdated.size > 0) refreshing ??= refresh().finally(() => (refreshing = undefined))
    },
  }
}

/**
 * Keeps stale pages for database outages. They are served with a notice and must not be cached. A page that has changed
 * since it was rendered is not served, so changed pages are rendered again right after the change: even an instance
 * without requests for them has them ready. A list that lacks only a new post is still served if the outage began
 * before it was rendered again. A page that was never rendered is answered as unavailable.
 */
export function pagesInOutage(
  get: GetPage,
  { awaySince, isHeard, mark }: Outage,
  bytesMax = bytesMaxDefault,
) {
  const former = makeFormerPages(bytesMax)
  const withNotice = makeNotices(mark)
  /** Number of changes so far. A page rendered during a change may show old data. */
  let changes = 0
  const refresher = makeRefresher({
    render: ({ place, language }) => getOne(place, language, ''),
    isAway: () => awaySince() !== undefined,
    countChanges: () => changes,
  })

  const getOne: GetPage = async (place, language, client) => {
    const key = `${language} ${place.path}`
    const changesBefore = changes
    let page: CachedPage | undefined
    let failure: unknown
    try {
      page = await get(place, language, client)
    } catch (error) {
      failure = error
    }
    const isMissing = !page || page.status === 503
    if (page?.status !== 200) {
      // The page no longer exists, or has moved.
      if (!isMissing) former.remove(key)
    } else if (changes === changesBefore && !place.path.includes('?')) {
      refresher.remove(key)
      former.remember(key, { place, language }, page)
    }
    const since = awaySince()
    if (since !== undefined) {
      const known = page?.status === 200 ? page : isMissing ? former.pageAt(key, since) : undefined
      if (known) return withNotice(known, language)
    }
    if (!page) throw failure
    return page
  }

  return {
    get: getOne,
    /** With `isCertain`, the page has changed. Otherwise, after a restored connection, it may have changed. */
    forget(topic: string, isCertain = false): void {
      changes += 1
      const changed = former.listWith(topic === 'retractions' ? 'announcements' : topic)
      for (const [key, each] of changed)
        if (!isCertain && !isHeard()) each.doubtfulSince ??= performance.now()
        else if (topic === 'announcements' && !each.place.isOpen) each.behindSince ??= performance.now()
        else former.remove(key)
      refresher.add(changed)
    },
  }
}
