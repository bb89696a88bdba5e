import { setTimeout as pause } from 'node:timers/promises'
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import { MIB } from '#contract/fields.ts'
import { makeCachedBody, type CachedBody } from './response-cache/cached-body.ts'
import type { CachedPage, GetPage, Place } from './response-cache/cached-pages.ts'

/** Size limit for previous pages in bytes, uncompressed. */
const bytesMaxDefault = 16 * MIB
/** How long a page with changeable data is shown while its validity can't be checked. */
const shownFor = HOUR
/**
 * The same after a lost connection is restored: by then the page is rendered again, unless the connection is
 * lost again.
 */
const doubtfulFor = MINUTE
/** Changes come in bursts, so pages are rendered again this long after the first one. */
const refreshAfter = SECOND / 4
/** The maximum number of pages rendered again after a change. Pages of single posts come last. */
const refreshMax = 300

export type Outage = {
  /** Since when the database has been away, by `performance.now()`. */
  awaySince: () => number | undefined
  /** Whether change notifications work. If so, an invalidated page has changed; otherwise it only may have. */
  isHeard: () => boolean
  /** Adds a notice to the page that it may be outdated. */
  mark: (html: string, language: Language) => string
}

type Asked = { place: Place; language: Language }
type Former = Asked & {
  page: CachedPage
  bytes: number
  /** It may have changed since. */
  doubtfulSince?: number
  /** It lacks what was published since. */
  behindSince?: number
}

/**
 * Keeps previous pages for database outages. Readers get them with a notice, and nobody caches that answer. A
 * page that changed since it was rendered is not shown, so it is rendered again right after the change: even an
 * instance without requests for it has it ready. Only a list that lacks a new post is shown if the outage came
 * before the rendering. A page that was never rendered is answered as unavailable.
 */
export function pagesInOutage(
  get: GetPage,
  { awaySince, isHeard, mark }: Outage,
  bytesMax = bytesMaxDefault,
) {
  const former = new Map<string, Former>()
  const marked = new WeakMap<CachedBody, CachedBody>()
  let bytes = 0
  /** Number of changes so far: a page rendered during one may show old data. */
  let changes = 0
  /** Pages to render again. Failed ones stay until the next change, such as the database coming back. */
  const outdated = new Map<string, Asked>()
  let refreshing: Promise<void> | undefined

  function drop(key: string): void {
    bytes -= former.get(key)?.bytes ?? 0
    former.delete(key)
  }

  function remember(key: string, asked: Asked, page: CachedPage): void {
    outdated.delete(key)
    if (former.get(key)?.page.body === page.body) return
    drop(key)
    const size = page.body.identity.length
    former.set(key, { ...asked, page, bytes: size })
    bytes += size
    for (const oldest of former.keys()) if (bytes > bytesMax) drop(oldest)
  }

  function withNotice(page: CachedPage, language: Language): CachedPage {
    const { body } = page
    const made =
      marked.get(body) ??
      makeCachedBody(body.type, mark(body.identity.toString(), language), { isShortLived: true })
    marked.set(body, made)
    return { ...page, body: made, isOld: true }
  }

  /** The page that was invalidated since then, if it may still be shown. */
  function formerAt(key: string, since: number): CachedPage | undefined {
    const found = former.get(key)
    if (!found) return undefined
    const now = performance.now()
    const isDoubtful = found.doubtfulSince !== undefined && now - found.doubtfulSince > doubtfulFor
    const isOld = found.place.topic !== null && now - since > shownFor
    // By then it would have been rendered again, unless too many pages had changed.
    const isBehind = found.behindSince !== undefined && since - found.behindSince > doubtfulFor
    return isDoubtful || isOld || isBehind ? undefined : found.page
  }

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
      if (!isMissing) drop(key)
    } else if (changes === changesBefore && !place.path.includes('?'))
      remember(key, { place, language }, page)
    const since = awaySince()
    if (since !== undefined) {
      const known = page?.status === 200 ? page : isMissing ? formerAt(key, since) : undefined
      if (known) return withNotice(known, language)
    }
    if (!page) throw failure
    return page
  }

  /**
   * Renders pages one at a time with pauses of equal length, so that visitors do not wait. Returns whether to
   * continue.
   */
  async function refreshOne(key: string, { place, language }: Asked): Promise<boolean> {
    const [begun, changesBefore] = [performance.now(), changes]
    // During an outage, pages that can't be rendered would only wait.
    const page = awaySince() === undefined ? await getOne(place, language, '').catch(() => {}) : undefined
    if (!page || page.status === 503 || page.isOld) return false
    if (changes === changesBefore) outdated.delete(key)
    await pause(performance.now() - begun, undefined, { ref: false })
    return true
  }

  async function refresh(): Promise<void> {
    await pause(refreshAfter, undefined, { ref: false })
    // A page that changes during rendering is rendered again.
    for (let seen = -1; seen !== changes;) {
      seen = changes
      for (const [key, asked] of outdated) if (!(await refreshOne(key, asked))) return
    }
  }

  function refreshSoon(changed: readonly [string, Asked][]): void {
    for (const [key, asked] of changed.toSorted(
      ([, a], [, b]) => Number(!!a.place.isOpen) - Number(!!b.place.isOpen),
    ))
      if (outdated.size < refreshMax) outdated.set(key, asked)
    if (outdated.size > 0) refreshing ??= refresh().finally(() => (refreshing = undefined))
  }

  return {
    get: getOne,
    /** `isCertain`: it has changed. Otherwise, after a restored connection, it only may have. */
    forget(topic: string, isCertain = false): void {
      changes += 1
      const isRetraction = topic === 'retractions'
      const changedTopic = isRetraction ? 'announcements' : topic
      const changed = [...former].filter(
        ([, { place }]) => topic === 'content' || place.topic === changedTopic,
      )
      for (const [key, each] of changed)
        if (!isCertain && !isHeard()) each.doubtfulSince ??= performance.now()
        else if (topic === 'announcements' && !each.place.isOpen) each.behindSince ??= performance.now()
        else drop(key)
      refreshSoon(changed)
    },
  }
}
