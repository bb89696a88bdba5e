import './kernel/routes/site-pages.ts'
import './kernel/routes/console-pages.ts'
import { renderToString } from 'react-dom/server'
import { name } from '#content/brand.json'
import { readBrand } from '#contract/publishing/content.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import type { Call } from './kernel/call/call.ts'
import { brandIn, type LocalizedBrand } from './kernel/content/brand.tsx'
import { factsFrom } from './kernel/content/facts.ts'
import { languagesInFull } from './kernel/content/languages-in-full.ts'
import { messagesFrom } from './kernel/content/messages-from.ts'
import { documentHtml, type BuiltFiles, type DocumentParts, type SharedPicture } from './document.ts'
import { interpolate } from './kernel/i18n/interpolate.ts'
import { withPrefix } from './kernel/i18n/language.ts'
import type { PlainKey, Messages } from './kernel/i18n/message-key.ts'
import { colorSchemesOf } from './kernel/layout/color-scheme.ts'
import { frameParts } from './kernel/layout/served/deferred-frame-parts.ts'
import type { LoadContext, Page, PageHead } from './kernel/routes/page.ts'
import { linkedDataOf } from './machine-readable/linked-data.ts'
import { feedPath } from './machine-readable/news-feeds.ts'
import { matchRoute } from './kernel/routes/match-route.ts'
import { headOfView, titleOfView } from './kernel/navigation/head-of-view.ts'
import type { Content, View } from './kernel/navigation/view.ts'
import type { PageData } from './kernel/page-data.ts'
import { sentMessages } from './kernel/sent-messages.ts'
import { Router, type Frame } from './router.tsx'
import { Root } from './root.tsx'
import { ConsoleRoot } from './console/console-root.tsx'
import { queryFor, waitsForReader } from './kernel/routes/route.ts'
import {
  getRoute,
  isListed,
  isPublic,
  loadPage,
  pathTo,
  redirects,
  routes,
  type Route,
} from './kernel/routes/routes.ts'

export { atomFeed, feedPath, jsonFeed } from './machine-readable/news-feeds.ts'
export { languagesInFull } from './kernel/content/languages-in-full.ts'
export { llmsPath, llmsText } from './machine-readable/llms-text.ts'
export {
  clearingWorker,
  offlineCss,
  offlineHtml,
  offlinePaths,
  offlineWorker,
} from './machine-readable/offline-page.ts'
export { openSearchPath, openSearchText } from './machine-readable/open-search.ts'
export { outageNotice } from './kernel/layout/outage-notice.ts'
export { verifyGuidePath } from './announcements/signatures/verify-guide.ts'
export { securityText, securityTextPath } from './machine-readable/security-text.ts'
export { listPageAddresses, topicsOfPages } from './machine-readable/page-addresses.ts'
export { manifestPath, webManifest } from './machine-readable/web-manifest.ts'

export type RenderRequest = {
  /**
   * The requested path, with the query parameters that the page's data depends on. `/cn/…` is Chinese regardless of the
   * reader's choice.
   */
  path: string
  language: Language
  call: Call
  /** Public scheme and host, without a trailing slash. */
  origin: string
  appId: string
  /** The files that a page starts with. */
  filesOf: (route: Route) => BuiltFiles
  /** The picture for link previews, if there is one. */
  pictureOf?: (name: string, language: Language) => FoundPicture | null
  /** The result of a form that was sent to the page without JavaScript. */
  posted?: LoadContext['posted']
  /** Called with the reason why a page is rendered without its data. */
  onFailure?: (failure: unknown) => void
}

/** `path` is its address on this site. `isOwn` is set if it shows the page's title instead of the site's tagline. */
export type FoundPicture = { path: string; width: number; height: number; isOwn: boolean; alt?: string }

/** `location` is the page's new permanent address. */
export type Rendered = { status: 200 | 404 | 503; html: string } | { status: 301; html: ''; location: string }

/** Renders a page as a whole document. If its data cannot be loaded, the page says so and the status is 503. */
export async function render(request: RenderRequest): Promise<Rendered> {
  const { path, language, origin, call } = request
  const url = new URL(path, origin)
  const match = matchRoute(url.pathname)
  if (!match) throw new Error(`no page at ${path}`)
  const { route, params } = match
  const [messages, heads, wholeBrand, page] = await Promise.all([
    sentMessages(call, language, route),
    messagesFrom(call, language, ['meta']),
    call(readBrand, {}),
    loadPage(route),
    frameParts.load(),
    frameOf(route).prepare?.(route, false),
  ])
  await page.parts?.load()
  const brand = brandIn(language, wholeBrand, origin)
  const query = queryFor(route, url.searchParams)
  const context = { call, facts: factsFrom(call), brand, language, params, query, posted: request.posted }
  const content = await contentOf({ route, page, context, messages, onFailure: request.onFailure })
  if (content.kind === 'missing') return { status: 404, html: '' }
  const moved = content.kind === 'page' ? page.movedTo?.(content.data, params) : null
  if (moved) {
    const path = pathTo(route.name, moved)
    return { status: 301, html: '', location: withPrefix(match.prefix ?? 'en', path) }
  }
  const year = String(new Date().getUTCFullYear())
  const view: View = { url, route, params, language, messages, brand, content, arrival: 'first' }
  const files = request.filesOf(route)
  const data: PageData = {
    route: route.name,
    language,
    messages,
    brand,
    contents: contentsOf(route),
    script: files.page,
    waits: canWait(route),
    content: content.kind === 'page' ? { kind: 'page', data: content.data } : content,
    appId: request.appId,
    year,
  }
  const say = (key: PlainKey) => interpolate(heads[key] ?? messages[key] ?? key, language)
  const head = headOfView(view)
  const inFull = await languagesInFull(call)
  const html = documentHtml({
    ...metadataOf({ request, view, head, query, inFull, say }),
    language,
    feeds: {
      title: say('meta.news.title'),
      atom: feedPath.atom[language],
      json: feedPath.json[language],
    },
    ground: colorSchemesOf(route).header,
    files,
    preloads: content.kind === 'page' ? (page.preload?.(content.data) ?? []) : [],
    body: renderToString(<Router first={view} year={year} frame={frameOf(route)} />),
    data,
  })
  return { status: content.kind === 'failed' ? 503 : head.isMissing ? 404 : 200, html }
}

type Described = {
  request: RenderRequest
  view: View
  head: PageHead
  query: URLSearchParams
  /** The languages that all pages are translated into. */
  inFull: readonly Language[]
  say: (key: PlainKey) => string
}

type Metadata = Pick<
  DocumentParts,
  'title' | 'description' | 'address' | 'alternates' | 'isArticle' | 'picture' | 'linkedData'
>

/** What search engines and link previews read about a page. */
function metadataOf(described: Described): Metadata {
  const { request, view, head, say } = described
  const { route, language, brand, content } = view
  const title = titleOfView(view, say)
  const addresses = addressesOf(described)
  const picture = head.picture
    ? { ...head.picture, isOwn: true }
    : request.pictureOf?.(route.name === 'newsPost' ? 'news' : route.name, language)
  return {
    ...addresses,
    title,
    description: head.description ?? say(route.description),
    isArticle: head.isArticle ?? false,
    picture: picture ? sharedPicture(picture, title, request, brand) : null,
    linkedData:
      addresses.alternates && content.kind === 'page'
        ? linkedDataOf({ route, data: content.data, language, brand, origin: request.origin, say })
        : null,
  }
}

/** The address of a page, and those of the page in each language if search engines may list it. */
function addressesOf({
  request,
  view,
  head,
  query,
  inFull,
}: Described): Pick<Metadata, 'address' | 'alternates'> {
  const { origin, path } = request
  const { route, params, language } = view
  if (!isPublic(route)) return { address: origin + path, alternates: null }
  const where = query.size > 0 ? `?${query}` : ''
  const shown = head.listedAs ?? pathTo(route.name, params) + where
  const addressIn = (known: Language) => origin + withPrefix(known, shown)
  const spoken = (head.languages ?? languages).filter((known) => inFull.includes(known))
  const isMeantToBeFound = !route.isUnlisted && !head.isUnlisted && !head.isMissing
  const isIndexed = isMeantToBeFound && inFull.includes(language) && spoken.length > 0
  return {
    address: addressIn(spoken.includes(language) ? language : (spoken[0] ?? language)),
    alternates: isIndexed ? Object.fromEntries(spoken.map((known) => [known, addressIn(known)])) : null,
  }
}

const contentsOf = ({ words, title, description, query, begins, file }: Route): PageData['contents'] => ({
  words,
  title,
  description,
  ...(query && { query }),
  ...(begins && { begins }),
  file,
})

/** In development, the styles of a page are loaded by its script. */
const canWait = (route: Route): boolean => !import.meta.env.DEV && waitsForReader(route)

const frameOf = ({ guard }: Route): Frame => (guard === 'staff' ? ConsoleRoot : Root)

const sharedPicture = (
  { path, width, height, isOwn, alt }: FoundPicture,
  title: string,
  { origin }: RenderRequest,
  { tagline }: LocalizedBrand,
): SharedPicture => ({
  address: origin + path,
  width,
  height,
  alt: isOwn ? (alt ?? title) : `${name}: ${tagline}`,
})

async function contentOf({
  route,
  page,
  context,
  messages,
  onFailure,
}: {
  route: Route
  page: Page
  context: LoadContext
  messages: Messages
  onFailure: RenderRequest['onFailure']
}): Promise<Content | { kind: 'missing' }> {
  if (route.rendered === 'shell') return { kind: 'loading' }
  try {
    return { kind: 'page', page, data: await page.load?.(context) }
  } catch (failure) {
    if ((failure as { status?: unknown }).status === 404) return { kind: 'missing' }
    onFailure?.(failure)
    return { kind: 'failed', message: messages['errors.unavailable'] ?? '' }
  }
}

/** Previous addresses of staff pages, from before there was a console. Emails and bookmarks still link to them. */
const movedToConsole = [
  { path: '/newsroom', redirect: pathTo('console.newsroom') },
  { path: '/kyc/review', redirect: pathTo('console.identity') },
  { path: '/lost-factors', redirect: pathTo('console.lostFactors') },
]

/** Where password managers send people to change a password (https://w3c.github.io/webappsec-change-password-url/). */
const changePassword = {
  path: '/.well-known/change-password',
  redirect: `${pathTo('account.security')}#change-password`,
}

/** The routes that the server handles: every page, its addresses in other languages, and the redirects. */
export type Served =
  | { path: string; redirect: string }
  | {
      /** The path, with `:name` for each parameter. */
      path: string
      topic: string | null
      query: readonly string[]
      isReady: boolean
      isPublic: boolean
      isListed: boolean
      /** Set if it shows a post, which `:slug` names. */
      isPost?: true
      /** Set if it also accepts a form, for readers without JavaScript. */
      acceptsForm?: FormPage
    }

const formPages = ['official', 'contact', 'saleReminder'] as const
export type FormPage = (typeof formPages)[number]
const isFormPage = (name: string): name is FormPage => (formPages as readonly string[]).includes(name)

export const served: readonly Served[] = [
  ...movedToConsole,
  changePassword,
  ...redirects.map(({ path, redirect }) => ({ path, redirect: pathTo(redirect) })),
  ...routes.flatMap((route) => {
    const entry = {
      path: route.path,
      topic: route.topic ?? null,
      isReady: route.rendered === 'ready',
      isPublic: isPublic(route),
      isListed: isListed(route),
      ...(route.name === 'newsPost' && { isPost: true as const }),
      ...(isFormPage(route.name) && { acceptsForm: route.name }),
      query: route.query ?? [],
    }
    const prefixed = languages.filter((language) => withPrefix(language, '') !== '')
    return isPublic(route)
      ? [entry, ...prefixed.map((language) => ({ ...entry, path: withPrefix(language, route.path) }))]
      : [entry]
  }),
]

/** The pages for signed-in members. */
export const memberPages: readonly Route[] = routes.filter(
  ({ guard }) => guard === 'member' || guard === 'staff',
)

/** The pages for everyone, and for visitors who are not signed in, which are complete in their first HTML. */
export const publicPages: readonly Route[] = routes.filter(
  ({ guard, rendered }) => rendered === 'ready' && (guard === 'anyone' || guard === 'stranger'),
)

export { getRoute }
