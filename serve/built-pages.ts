import { join } from 'node:path'
import { setTimeout, setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { defaultAppId } from '#contract/people/apps.ts'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { type Language, MIB } from '#contract/platform/fields.ts'
import type { Call } from '#web/kernel/call/call.ts'
import type * as Entry from '#web/entry.server.tsx'
import { type CachedBody, compress, makeCachedBody } from './response-cache/cached-body.ts'
import { filesOfPage, readBuild } from './built-files.ts'
import { servePreviews } from './content-preview.ts'
import { serveForMachines } from './crawler-endpoints.ts'
import { isOfCall } from './error-responses.ts'
import { type CachedPage, type GetPage, makeCachedPages, type Place } from './response-cache/cached-pages.ts'
import { languagesAt, mountPages } from './page-routes.ts'
import type { SiteOptions } from './pages.ts'
import { servePostedForms, type Posted } from './posted-forms.ts'
import { sharePictures } from './share-pictures.ts'

type KnownPages = {
  /**
   * Returns whether the path is known. An unknown path triggers a new listing if something has changed since the last
   * one.
   */
  has: (path: string) => boolean | Promise<boolean>
  /** Marks the list as outdated. It is loaded again when an unknown path is requested. */
  outdate: () => void
  /** Loads the list again. Known paths stay known in the meantime and if loading fails. */
  renew: () => Promise<void>
}

/** Keeps the paths of pages with parameters, as returned by the last run of `list`. */
export function makeKnownPages(
  list: () => Promise<readonly string[]>,
  onFailure: (failure: unknown) => void,
): KnownPages {
  let known: ReadonlySet<string> = new Set()
  let listing: Promise<void> | null = null
  let isOutdated = false

  async function listAll(): Promise<void> {
    // Reset before listing: a change during the listing is not included in it.
    isOutdated = false
    try {
      known = new Set(await list())
    } catch (failure) {
      onFailure(failure)
    }
    listing = null
  }

  /** All waiting requests share one listing that started after them, no matter how many changes follow. */
  async function catchUp(): Promise<void> {
    if (listing && isOutdated) await listing
    await (isOutdated ? (listing ??= listAll()) : listing)
  }

  const outdate = () => void (isOutdated = true)

  return {
    has: (path) => known.has(path) || (isOutdated || listing ? catchUp().then(() => known.has(path)) : false),
    outdate,
    renew() {
      outdate()
      return catchUp()
    },
  }
}

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
  /** The notice on pages that may be outdated. */
  sentenceIn: (language: Language) => string
  mark: Mark
}

/** Adds a sentence at the beginning of a page. */
type Mark = (html: string, sentence: string) => string

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
      // An old price does no harm: no one can order without the database, and every order has its own quote.
      const isChangeable = found.place.topic !== null && found.place.topic !== 'sale'
      const isOld = isChangeable && now - since > shownFor
      // By then it would have been rendered again, unless too many pages had changed.
      const isBehind = found.behindSince !== undefined && since - found.behindSince > doubtfulFor
      return isDoubtful || isOld || isBehind ? undefined : found.page
    },

    /** Returns the pages that show a topic. */
    listWith: (topic: string): [string, Former][] =>
      [...former].filter(([, { place }]) => topic === 'content' || place.topic === topic),
  }
}

/** Adds a sentence to pages. Each page is made once per sentence. */
function makeNotices(mark: Mark) {
  const marked = new WeakMap<CachedBody, { sentence: string; body: CachedBody }>()
  return (page: CachedPage, sentence: string): CachedPage => {
    const { body } = page
    const known = marked.get(body)
    if (known?.sentence === sentence) return { ...page, body: known.body, isOld: true }
    const made = makeCachedBody(body.type, mark(body.identity.toString(), sentence), { isShortLived: true })
    marked.set(body, { sentence, body: made })
    return { ...page, body: made, isOld: true }
  }
}

/** Adds a notice to all pages while there is one. During an outage, pages already have another one. */
export function withNotice(
  get: GetPage,
  sentenceIn: (language: Language) => string | undefined,
  mark: Mark,
): GetPage {
  const addNotice = makeNotices(mark)
  return async (place, language, client) => {
    const page = await get(place, language, client)
    const sentence = page.status === 200 && !page.isOld ? sentenceIn(language) : undefined
    return sentence === undefined ? page : addNotice(page, sentence)
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
  { awaySince, isHeard, sentenceIn, mark }: Outage,
  bytesMax = bytesMaxDefault,
) {
  const former = makeFormerPages(bytesMax)
  const addNotice = makeNotices(mark)
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
      if (known) return addNotice(known, sentenceIn(language))
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
        else if ((topic === 'announcements' || topic === 'sale') && !each.place.isOpen)
          each.behindSince ??= performance.now()
        else former.remove(key)
      refresher.add(changed)
    },
  }
}

/** Serves the built pages, each rendered once and cached compressed in memory until its content changes. */
export async function serveBuiltPages(
  site: FastifyInstance,
  root: string,
  options: SiteOptions,
): Promise<void> {
  const built = pathToFileURL(join(root, 'dist/server/entry.server.js')).href
  const entry = (await import(built)) as typeof Entry
  const { render, served } = entry
  let isClosing = false
  site.addHook('preClose', async () => void (isClosing = true))
  // Errors during shutdown are expected, and an outage was already logged by the API request.
  const warn = (sentence: string, error: unknown) =>
    isClosing || isOfCall(error) || site.log.warn({ error }, sentence)
  const renderWith = makeRenderer(render, root, options, (error) =>
    warn('a page was shown without its data', error),
  )
  const known = makeKnownPages(
    () => entry.listPageAddresses(options.apiCall),
    (error) => warn('the addresses of pages could not be listed', error),
  )
  const cache = makeCachedPages(
    (path, language) => renderWith(path, language, options.apiCall),
    (language) => options.messagesIn(language)['errors.unavailable'] ?? '',
    known.has,
    options.responseCache,
  )
  const mark: Mark = (html, sentence) => html.replace('<body>', () => `<body>${entry.outageNotice(sentence)}`)
  const pages = pagesInOutage(cache.get, {
    awaySince: options.databaseAwaySince ?? (() => undefined),
    isHeard: options.isHeard ?? (() => true),
    sentenceIn: (language) => options.messagesIn(language)['errors.kept_page'] ?? '',
    mark,
  })
  let isListening = false
  options.addChangeListener((topic, isCertain) => {
    cache.forget(topic)
    pages.forget(topic, isCertain)
    if (isListening && entry.topicsOfPages.includes(topic)) known.outdate()
  })
  mountPages(site, served, options, withNotice(pages.get, options.noticeIn ?? (() => undefined), mark))
  await servePostedForms(site, served, options, (path, language, posted) =>
    renderWith(path, language, options.apiCall, posted),
  )
  servePreviews(site, served, options.previewCall, renderWith)
  serveForMachines(site, root, entry, options)

  site.addHook('onListen', () => {
    isListening = true
    void known.renew()
    // Prepared one at a time in the background, so that each page is already compressed on its first visit.
    prepareAll(served, pages.get, () => isClosing)
      .catch((failure: unknown) => warn('a page could not be prepared', failure))
      .then(releaseMemory)
      .catch(() => {})
  })
}

function makeRenderer(
  render: (typeof Entry)['render'],
  root: string,
  options: Pick<SiteOptions, 'publicUrl' | 'appId'>,
  onFailure: (error: unknown) => void,
) {
  const build = readBuild(root)
  const pictureOf = sharePictures(root)
  return (path: string, language: Language, call: Call, posted?: Posted) =>
    render({
      posted,
      path,
      language,
      call,
      origin: options.publicUrl.origin,
      appId: options.appId ?? defaultAppId,
      filesOf: (route) => filesOfPage(build, route, language),
      pictureOf,
      onFailure,
    })
}

async function prepareAll(
  served: (typeof Entry)['served'],
  get: GetPage,
  isClosing: () => boolean,
): Promise<void> {
  for (const entry of served) {
    if ('redirect' in entry || entry.path.includes(':')) continue
    for (const language of languagesAt(entry.path))
      // Compressed now as for visitors, so that pages are ready for an outage before the first visit.
      if (!isClosing()) await compress((await get(entry, language, '')).body)
  }
}

/**
 * Runs once after startup. V8 reserves 100 MB for young objects while modules load and pages are rendered, and releases
 * it only in the second full collection with few allocations in between.
 */
async function releaseMemory(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  for (let turn = 0; turn < 2; turn += 1) {
    await setTimeout(SECOND, undefined, { ref: false })
    collect()
  }
}
