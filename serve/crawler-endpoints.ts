import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { defaultAppId } from '#contract/people/apps.ts'
import {
  categories,
  listAnnouncements,
  listPostAddresses,
  listPostAuthors,
} from '#contract/publishing/announcements.ts'
import { readBrand, readFacts } from '#contract/publishing/content.ts'
import { listAmbassadors } from '#contract/people/ambassador-profiles.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { officialListPath, readOfficialList } from '#contract/publishing/official.ts'
import { listSigningKeys } from '#contract/publishing/signatures.ts'
import type * as Entry from '#web/entry.server.tsx'
import type { Served } from '#web/entry.server.tsx'
import { keyOf } from '#web/announcements/news-filter.ts'
import { htmlLanguage, languageOfAddress, withoutPrefix, withPrefix } from '#web/kernel/i18n/language.ts'
import { redirectWithin } from './redirect.ts'
import { forGood, makeCachedBody, sendCached, type CachedBody } from './response-cache/cached-body.ts'
import { makeResponseCache, type ResponseCache } from './response-cache/response-cache.ts'
import type { SiteOptions } from './pages.ts'

/** Browsers request icons at these URLs whatever the page links to. */
const icons = {
  '/favicon.svg': 'image/svg+xml',
  '/favicon.ico': 'image/x-icon',
  '/apple-touch-icon.png': 'image/png',
}

type Facts = Pick<
  typeof Entry,
  | 'served'
  | 'languagesInFull'
  | 'llmsPath'
  | 'llmsText'
  | 'feedPath'
  | 'atomFeed'
  | 'jsonFeed'
  | 'manifestPath'
  | 'webManifest'
  | 'openSearchPath'
  | 'openSearchText'
  | 'clearingWorker'
  | 'offlineCss'
  | 'offlineHtml'
  | 'offlinePaths'
  | 'offlineWorker'
  | 'securityText'
  | 'securityTextPath'
  | 'verifyGuidePath'
>
type Options = Pick<SiteOptions, 'publicUrl' | 'apiCall' | 'appId' | 'addChangeListener' | 'runningSince'> &
  Partial<Pick<SiteOptions, 'responseCache' | 'hasOfflinePage'>>

/** Files that browsers, search engines, and other clients request at well-known URLs. */
export function serveForMachines(site: FastifyInstance, root: string, facts: Facts, options: Options): void {
  const { origin } = options.publicUrl
  const plain = (content: string) => makeCachedBody('text/plain; charset=utf-8', content)
  for (const [url, type] of Object.entries(icons)) {
    const body = forGood(makeCachedBody(type, readFileSync(join(root, 'content/media/icons', url))))
    serve(site, url, () => body)
  }
  const { apiCall, addChangeListener, responseCache = makeResponseCache() } = options
  addChangeListener(responseCache.forget)
  const serveCached = (url: string, topics: readonly string[], make: () => Promise<CachedBody>) =>
    serve(site, url, () => cachedUntil(responseCache, url, topics, make))
  for (const language of languages) {
    const makeManifest = async () =>
      makeCachedBody(
        'application/manifest+json',
        JSON.stringify(facts.webManifest(language, await apiCall(readBrand, {}))),
      )
    serveCached(facts.manifestPath[language], ['content'], makeManifest)
    const makeOpenSearch = async () =>
      makeCachedBody(
        'application/opensearchdescription+xml; charset=utf-8',
        await facts.openSearchText(apiCall, language, origin),
      )
    serveCached(facts.openSearchPath[language], ['content'], makeOpenSearch)
    const makeText = async () => plain(await facts.llmsText(apiCall, language, origin))
    serveCached(facts.llmsPath[language], ['content'], makeText)
    const guide = forGood(plain(verifyGuide(root, language, options)))
    serve(site, facts.verifyGuidePath[language], () => guide)
  }
  const robots = forGood(plain(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`))
  serve(site, '/robots.txt', () => robots)
  const makeSecurity = async () =>
    plain(facts.securityText(origin, await apiCall(readBrand, {}), options.runningSince))
  serveCached(facts.securityTextPath, ['content'], makeSecurity)
  const makeMap = () => makeSiteMap(facts, options)
  serveCached('/sitemap.xml', ['announcements', 'ambassadors', 'content'], makeMap)
  serveFeeds(serveCached, facts, options)
  redirectToFeeds(site, facts)
  serveOfflinePage(site, serveCached, facts, options)
  const readKeys = async () =>
    makeCachedBody(
      'application/json; charset=utf-8',
      JSON.stringify(await options.apiCall(listSigningKeys, {})),
    )
  serveCached('/.well-known/news-signing-keys.json', ['announcements'], readKeys)
  const makeList = async () =>
    makeCachedBody(
      'application/json; charset=utf-8',
      JSON.stringify(await options.apiCall(readOfficialList, {})),
    )
  // Not cached, because the list must be current and is valid only for a few days. Concurrent requests share one
  // result.
  serve(site, officialListPath, shareWhileRunning(makeList))
}

type ServeCached = (url: string, topics: readonly string[], make: () => Promise<CachedBody>) => void

/** The offline page with its service worker. If the page is off, a worker that removes both from browsers. */
function serveOfflinePage(
  site: FastifyInstance,
  serveCached: ServeCached,
  facts: Facts,
  { apiCall, hasOfflinePage = false }: Options,
): void {
  const { page, style, worker } = facts.offlinePaths
  const script = (text: string) => makeCachedBody('text/javascript; charset=utf-8', text)
  if (!hasOfflinePage) {
    const clearing = forGood(script(facts.clearingWorker))
    return serve(site, worker, () => clearing)
  }
  const css = forGood(makeCachedBody('text/css; charset=utf-8', facts.offlineCss))
  serve(site, style, () => css)
  const makePage = async () => makeCachedBody('text/html; charset=utf-8', await facts.offlineHtml(apiCall))
  serveCached(page, ['content'], makePage)
  const makeWorker = async () => {
    const hash = createHash('sha256')
      .update(facts.offlineCss)
      .update(await facts.offlineHtml(apiCall))
    return script(facts.offlineWorker(hash.digest('hex').slice(0, 16)))
  }
  serveCached(worker, ['content'], makeWorker)
}

/** Addresses at which feed readers look for a feed if someone enters only the site's address. */
const usualFeedPaths = ['/feed', '/rss.xml']

function redirectToFeeds(site: FastifyInstance, { feedPath }: Facts): void {
  for (const language of languages)
    for (const path of usualFeedPaths)
      site.route({
        method: ['GET', 'HEAD'],
        url: withPrefix(language, path),
        handler: (_request, reply) => redirectWithin(reply, feedPath.atom[language], 301),
      })
}

/** Concurrent calls share one run. */
function shareWhileRunning<T>(make: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () =>
    (running ??= make().finally(() => {
      running = undefined
    }))
}

/** The guide to verifying a post with other tools, with this site's address in the commands. */
function verifyGuide(root: string, language: Language, { publicUrl, appId }: Options): string {
  const own = join(root, `docs/how-to/verify-a-post.${language}.md`)
  return readFileSync(existsSync(own) ? own : join(root, 'docs/how-to/verify-a-post.md'), 'utf8')
    .replaceAll('https://coin.example', publicUrl.origin)
    .replaceAll(defaultAppId, appId ?? defaultAppId)
}

function serve(site: FastifyInstance, url: string, get: () => CachedBody | Promise<CachedBody>): void {
  site.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) =>
      sendCached(
        request,
        reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' }),
        await get(),
      ),
  })
}

/** Rendered on the first request, and again after a change of one of these topics. */
const cachedUntil = (
  responseCache: ResponseCache,
  url: string,
  topics: readonly string[],
  make: () => Promise<CachedBody>,
): Promise<CachedBody> =>
  responseCache.get(`file ${url}`, { topics, client: '', make, bodyOf: (body) => body }).value

/** The pages of current ambassadors. Invented people aren't listed, because their pages forbid indexing. */
async function listPeople(apiCall: Options['apiCall']): Promise<string[]> {
  const file = 'facts/ambassadors.json'
  const [joined, { facts }] = await Promise.all([
    apiCall(listAmbassadors, {}),
    apiCall(readFacts, { query: { files: file } }),
  ])
  const entries = facts[file] as { id: string; until?: string; note?: string }[]
  const slugs = [
    ...joined.map(({ slug }) => slug),
    ...entries.filter(({ until, note }) => until === undefined && note !== 'sample').map(({ id }) => id),
  ]
  return [...new Set(slugs)].map((slug) => `/ambassadors/${encodeURIComponent(slug)}`)
}

type AuthorAddress = { slug: string; languages: readonly Language[] }
type PostAddress = { slug: string; language: Language; changedAt: string }

/**
 * A sitemap (https://www.sitemaps.org/protocol.html) that lists each page with its versions in other complete
 * languages. `changedAt` returns the ISO time of a page's last change if known.
 */
function siteMap(
  served: readonly Served[],
  origin: string,
  languages: readonly Language[],
  items: {
    changedAt: ReadonlyMap<string, string>
    posts: readonly PostAddress[]
    authors: readonly AuthorAddress[]
    /** The URL paths of single items, in every language. */
    ofOne: readonly string[]
  },
): string {
  const { changedAt, ofOne } = items
  const posts = items.posts.filter(({ language }) => languages.includes(language))
  const listed = served
    .flatMap((entry) => ('isListed' in entry && entry.isListed ? [entry.path] : []))
    .filter((path) => languages.includes(languageOfAddress(path) ?? 'en'))
  const paths = [
    ...listed,
    ...ofOne.flatMap((path) => languages.map((language) => withPrefix(language, path))),
  ]
  const entries = paths.map((path) => {
    const common = withoutPrefix(path)
    const spoken = languages.map((language) => [htmlLanguage[language], withPrefix(language, common)])
    const alternates = [...spoken, ['x-default', common]].map(
      ([lang, to]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${origin}${to}"/>`,
    )
    const changed = changedAt.get(path)
    const lastmod = changed ? `<lastmod>${changed}</lastmod>` : ''
    return `<url><loc>${origin}${path}</loc>${lastmod}${alternates.join('')}</url>`
  })
  const slugs = new Map<string, PostAddress[]>()
  for (const post of posts) slugs.set(post.slug, [...(slugs.get(post.slug) ?? []), post])
  const articles = posts.map((post) => articleEntry(post, slugs.get(post.slug) ?? [], origin))
  const authors = items.authors.flatMap((author) => authorEntries(author, languages, origin))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('')}${articles.join('')}${authors.join('')}</urlset>\n`
}

/** A post is listed with its translation, if there is one. */
function articleEntry(post: PostAddress, siblings: readonly PostAddress[], origin: string): string {
  const addressOf = ({ slug, language }: PostAddress) => {
    const path = `/news/${encodeURIComponent(slug)}`
    return origin + withPrefix(language, path)
  }
  const alternates =
    siblings.length < 2
      ? []
      : siblings.map(
          (each) =>
            `<xhtml:link rel="alternate" hreflang="${htmlLanguage[each.language]}" href="${addressOf(each)}"/>`,
        )
  return `<url><loc>${addressOf(post)}</loc><lastmod>${post.changedAt}</lastmod>${alternates.join('')}</url>`
}

/** The page of an author, in each complete language in which they have posts. */
function authorEntries(author: AuthorAddress, languages: readonly Language[], origin: string): string[] {
  const spoken = author.languages.filter((language) => languages.includes(language))
  const addressIn = (language: Language) =>
    origin + withPrefix(language, `/news/author/${encodeURIComponent(author.slug)}`)
  const alternates =
    spoken.length < 2
      ? []
      : spoken.map(
          (each) =>
            `<xhtml:link rel="alternate" hreflang="${htmlLanguage[each]}" href="${addressIn(each)}"/>`,
        )
  return spoken.map((each) => `<url><loc>${addressIn(each)}</loc>${alternates.join('')}</url>`)
}

const categoryPaths = categories.map(({ name }) => `/news/category/${keyOf(name)}`)

async function makeSiteMap(facts: Facts, { publicUrl, apiCall }: Options): Promise<CachedBody> {
  const posts = await apiCall(listPostAddresses, {})
  const changedAt = new Map<string, string>()
  for (const entry of facts.served) {
    if ('redirect' in entry || entry.topic !== 'announcements') continue
    const lang = languageOfAddress(entry.path) ?? 'en'
    const latest = posts
      .flatMap((post) => (post.language === lang ? [post.changedAt] : []))
      .sort()
      .at(-1)
    if (latest) changedAt.set(entry.path, latest)
  }
  const ofOne = [...categoryPaths, ...(await listPeople(apiCall))]
  const authors = await apiCall(listPostAuthors, {})
  const languages = await facts.languagesInFull(apiCall)
  return makeCachedBody(
    'application/xml; charset=utf-8',
    siteMap(facts.served, publicUrl.origin, languages, { changedAt, posts, authors, ofOne }),
  )
}

function serveFeeds(serveCached: ServeCached, facts: Facts, { publicUrl, apiCall }: Options): void {
  for (const language of languages) {
    const feed = async () => ({
      call: apiCall,
      language,
      origin: publicUrl.origin,
      posts: await apiCall(listAnnouncements, { params: { lang: language } }),
    })
    const { atom, json } = facts.feedPath
    const makeAtom = async () =>
      makeCachedBody('application/atom+xml; charset=utf-8', await facts.atomFeed(await feed()))
    const makeJson = async () =>
      makeCachedBody('application/feed+json; charset=utf-8', await facts.jsonFeed(await feed()))
    serveCached(atom[language], ['announcements', 'content'], makeAtom)
    serveCached(json[language], ['announcements', 'content'], makeJson)
  }
}
