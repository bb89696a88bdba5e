import { renderToString } from 'react-dom/server'
import { name, tagline } from '#content/brand.json'
import type { Language } from '#contract/fields.ts'
import type { Call } from './call.ts'
import { documentHtml, type BuiltFiles, type SharedPicture } from './document.ts'
import { fill } from './i18n/fill.ts'
import { withPrefix } from './i18n/language.ts'
import { loadMessages } from './i18n/load-messages.ts'
import type { MessageKey, Messages } from './i18n/message-key.ts'
import { groundsOf } from './layout/ground.ts'
import type { Page } from './layout/page.ts'
import { linkedDataOf } from './machine-readable/linked-data.ts'
import { matchRoute } from './match-route.ts'
import type { Content, View } from './navigation/view.ts'
import type { PageData } from './page-data.ts'
import { Router } from './router.tsx'
import {
  getRoute,
  isPublic,
  pathIn,
  pathTo,
  redirects,
  routes,
  type Route,
  type RouteName,
} from './routes.ts'

export { llmsPath, llmsText } from './machine-readable/llms-text.ts'
export { securityText, securityTextPath } from './machine-readable/security-text.ts'
export { manifestPath, webManifest } from './machine-readable/web-manifest.ts'

export type RenderRequest = {
  /** The route's own path, parameters unfilled; `/cn/…` for a Chinese address. */
  path: string
  language: Language
  call: Call
  /** Scheme and host that the public sees, without a slash at the end. */
  origin: string
  appId: string
  /** The files that a page begins with, by the page's module. */
  filesOf: (file: string) => BuiltFiles
  /** The picture that is shown where a page is shared, if there is one. */
  pictureOf?: (name: string, language: Language) => FoundPicture | null
}

/** `path` is its address on this site; `isOwn` where it shows the page's title, not the site's tagline. */
export type FoundPicture = { path: string; width: number; height: number; isOwn: boolean }

export type Rendered = { status: 200 | 503; html: string }

/** Renders a page as a whole document. Where its data cannot be had, the page says so and the status is 503. */
export async function render(request: RenderRequest): Promise<Rendered> {
  const { path, language, origin } = request
  const match = matchRoute(path)
  if (!match) throw new Error(`no page at ${path}`)
  const { route } = match
  const [messages, heads, { default: page }] = await Promise.all([
    loadMessages(language, ['layout', 'errors', ...route.words]),
    loadMessages(language, ['meta']),
    route.page(),
  ])
  const content = await contentOf(route, page, request, messages)
  const year = String(new Date().getUTCFullYear())
  const url = new URL(path, origin)
  const view: View = { url, route, params: {}, language, messages, content, arrival: 'first' }
  const data: PageData = {
    route: route.name,
    language,
    messages,
    content: content.kind === 'page' ? { kind: 'page', data: content.data } : content,
    appId: request.appId,
    year,
  }
  const say = (key: MessageKey) => fill(heads[key] ?? messages[key] ?? key, language)
  const title = say(route.title)
  const alternates = isPublic(route)
    ? { en: origin + pathIn('en', route.name), cn: origin + pathIn('cn', route.name) }
    : null
  const picture = request.pictureOf?.(route.name, language)
  const linkedData =
    alternates && content.kind === 'page'
      ? linkedDataOf({ route, data: content.data, language, origin, say })
      : null
  const html = documentHtml({
    language,
    title,
    description: say(route.description),
    address: alternates?.[language] ?? origin + path,
    alternates,
    picture: picture ? sharedPicture(picture, title, request) : null,
    linkedData,
    ground: groundsOf(route).header,
    files: request.filesOf(route.file),
    preloads: page.preload ?? [],
    body: renderToString(<Router first={view} year={year} />),
    data,
  })
  return { status: content.kind === 'failed' ? 503 : 200, html }
}

const sharedPicture = (
  { path, width, height, isOwn }: FoundPicture,
  title: string,
  { origin, language }: RenderRequest,
): SharedPicture => ({
  address: origin + path,
  width,
  height,
  alt: isOwn ? title : `${name}: ${tagline[language]}`,
})

async function contentOf(
  route: Route,
  page: Page,
  { call, language }: RenderRequest,
  messages: Messages,
): Promise<Content> {
  if (route.rendered === 'shell') return { kind: 'loading' }
  try {
    return { kind: 'page', page, data: await page.load?.({ call, language, params: {} }) }
  } catch (failure) {
    console.error(failure)
    return { kind: 'failed', message: messages['errors.unavailable'] ?? '' }
  }
}

/** What the server must answer to: every page, its Chinese address, and the addresses that lead to another. */
export type Served =
  | { path: string; redirect: string }
  | { path: string; topic: string | null; isReady: boolean; isPublic: boolean }

export const served: readonly Served[] = [
  ...redirects.map(({ path, redirect }) => ({ path, redirect: pathTo(redirect) })),
  ...routes.flatMap((route) => {
    const entry = {
      path: route.path,
      topic: route.topic ?? null,
      isReady: route.rendered === 'ready',
      isPublic: isPublic(route),
    }
    return isPublic(route) ? [entry, { ...entry, path: withPrefix(route.path) }] : [entry]
  }),
]

/** The module of a page, below `web/`. */
export const fileOf = (name: RouteName): string => getRoute(name).file
