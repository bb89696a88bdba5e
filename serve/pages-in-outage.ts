import { HOUR } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import { MIB } from '#contract/fields.ts'
import { makeCachedBody, type CachedBody } from './cached-body.ts'
import type { CachedPage, GetPage, Place } from './page-cache.ts'

/** What former pages may take, uncompressed. */
const bytesMaxDefault = 16 * MIB
/** For how long a page that shows what others change is shown while nobody can tell whether it still holds. */
const shownFor = HOUR

export type Outage = {
  isAway: () => boolean
  /** Whether changes are heard of: what is forgotten then has changed, and else may only have. */
  isHeard: () => boolean
  /** The page with a notice that it may be out of date. */
  mark: (html: string, language: Language) => string
}

type Former = { page: CachedPage; topic: string | null; bytes: number; madeAt: number }

/**
 * While the database is away readers get the page as it was, with a notice that says so, and nobody keeps that. What has changed
 * since it was rendered is shown to nobody; a page that was not rendered before says that it is missing.
 */
export function pagesInOutage(get: GetPage, { isAway, isHeard, mark }: Outage, bytesMax = bytesMaxDefault) {
  const former = new Map<string, Former>()
  const marked = new WeakMap<CachedBody, CachedBody>()
  let bytes = 0
  let awaySince: number | undefined

  function drop(key: string): void {
    bytes -= former.get(key)?.bytes ?? 0
    former.delete(key)
  }

  function remember(key: string, { topic }: Place, page: CachedPage): void {
    if (former.get(key)?.page.body === page.body) return
    drop(key)
    const size = page.body.identity.length
    former.set(key, { page, topic, bytes: size, madeAt: performance.now() })
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

  const isTooOld = ({ topic }: Place): boolean =>
    topic !== null && awaySince !== undefined && performance.now() - awaySince > shownFor

  const getOne: GetPage = async (place, language, client) => {
    const key = `${language} ${place.path}`
    const page = await get(place, language, client).catch((failure: unknown) => {
      if (isAway() && former.has(key)) return undefined
      throw failure
    })
    const isWhole = page?.status === 200
    if (isWhole && !place.path.includes('?')) remember(key, place, page)
    if (!isAway()) {
      awaySince = undefined
      return page!
    }
    awaySince ??= performance.now()
    const known = isWhole
      ? page
      : page === undefined || page.status === 503
        ? former.get(key)?.page
        : undefined
    return known && !isTooOld(place) ? withNotice(known, language) : page!
  }

  return {
    get: getOne,
    /** Whether it has changed or, with a connection that is back, may have. */
    forget(topic: string): void {
      if (!isHeard()) return
      for (const [key, each] of former) if (topic === 'content' || each.topic === topic) drop(key)
    },
  }
}
