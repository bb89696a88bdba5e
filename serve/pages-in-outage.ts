import { setTimeout as pause } from 'node:timers/promises'
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import { MIB } from '#contract/fields.ts'
import { makeCachedBody, type CachedBody } from './cached-body.ts'
import type { CachedPage, GetPage, Place } from './page-cache.ts'

/** What former pages may take, uncompressed. */
const bytesMaxDefault = 16 * MIB
/** For how long a page that shows what others change is shown while nobody can tell whether it still holds. */
const shownFor = HOUR
/** The same after a connection that was lost came back: by then the page is rendered anew, unless it is lost again. */
const doubtfulFor = MINUTE
/** Changes come in bursts: pages are rendered again so long after the first of them. */
const refreshAfter = SECOND / 4
/** How many pages are rendered again after a change. Those of one post each come last. */
const refreshMax = 300

export type Outage = {
  /** Since when it is away, of `performance.now()`. */
  awaySince: () => number | undefined
  /** Whether changes are heard of: what is forgotten then has changed, and else may only have. */
  isHeard: () => boolean
  /** The page with a notice that it may be out of date. */
  mark: (html: string, language: Language) => string
}

type Asked = { place: Place; language: Language }
type Former = Asked & { page: CachedPage; bytes: number; doubtfulSince?: number }

/**
 * While the database is away readers get the page as it was, with a notice that says so, and nobody keeps that. What has changed
 * since it was rendered is shown to nobody, so it is rendered again as soon as it has changed: an instance that nobody asks for it has it
 * ready when the database goes away. A page that was not rendered before says that it is missing.
 */
export function pagesInOutage(
  get: GetPage,
  { awaySince, isHeard, mark }: Outage,
  bytesMax = bytesMaxDefault,
) {
  const former = new Map<string, Former>()
  const marked = new WeakMap<CachedBody, CachedBody>()
  let bytes = 0
  /** How many were told: what was rendered meanwhile may show what was before. */
  let changes = 0
  /** Pages to render again. Those that fail stay for the next change, which a database that is back reports. */
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

  /** What was forgotten since, if it may still be shown. */
  function formerAt(key: string, since: number): CachedPage | undefined {
    const found = former.get(key)
    if (!found) return undefined
    const now = performance.now()
    const isDoubtful = found.doubtfulSince !== undefined && now - found.doubtfulSince > doubtfulFor
    const isOld = found.place.topic !== null && now - since > shownFor
    return isDoubtful || isOld ? undefined : found.page
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
      // It is not there any more, or elsewhere.
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

  /** One after the other, each with as long a pause, so that visitors do not wait for it. Answers whether it may go on. */
  async function refreshOne(key: string, { place, language }: Asked): Promise<boolean> {
    const [begun, changesBefore] = [performance.now(), changes]
    // While the database is away what cannot be rendered would only wait.
    const page = awaySince() === undefined ? await getOne(place, language, '').catch(() => {}) : undefined
    if (!page || page.status === 503 || page.isOld) return false
    if (changes === changesBefore) outdated.delete(key)
    await pause(performance.now() - begun, undefined, { ref: false })
    return true
  }

  async function refresh(): Promise<void> {
    await pause(refreshAfter, undefined, { ref: false })
    // What changes again meanwhile is rendered once more.
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
    /** Whether it has changed, as `isCertain` says, or, with a connection that is back, may have. */
    forget(topic: string, isCertain = false): void {
      changes += 1
      const changed = [...former].filter(([, { place }]) => topic === 'content' || place.topic === topic)
      for (const [key, each] of changed)
        if (isCertain || isHeard()) drop(key)
        else each.doubtfulSince ??= performance.now()
      refreshSoon(changed)
    },
  }
}
