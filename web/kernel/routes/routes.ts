import type { Language } from '#contract/platform/fields.ts'
import { withPrefix } from '../i18n/language.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import type { consoleRoutes } from './console-routes.ts'
import type { FindPage, Page } from './page.ts'
import type { PageEntry, Place } from './route.ts'
import type { siteRoutes } from './site-routes.ts'

export type RouteName = (typeof siteRoutes | typeof consoleRoutes)[number]['name']
export type Route = PageEntry & {
  name: RouteName
  within?: RouteName
  find?: FindPage
  know?: () => Promise<KnownPages>
}

/** A module that lists pages with their contents, and finds them. */
type KnownPages = { contents: readonly Route[]; findPage: FindPage }

/** Every known page. Pages without a module belong to the other program, but can be linked to. */
export const routes: Route[] = []

/** The site and the console are built separately, each with its own pages. The server knows all of them. */
export function addRoutes(added: readonly Route[], find?: FindPage): void {
  for (const route of added) routes.push(find ? { ...route, find } : route)
}

/** Like `addRoutes`, but the contents of the pages are loaded later (`know`). */
export function addPlaces(
  added: readonly (Place & { name: RouteName })[],
  know: () => Promise<KnownPages>,
): void {
  const find: FindPage = async (route) => (await know()).findPage(route)
  for (const place of added) routes.push({ ...place, find, know } as unknown as Route)
}

/** Loads the contents of all pages, unless those of this page are known. */
export async function knowRoute(route: Route): Promise<Route> {
  if (route.words || !route.know) return route
  const { contents } = await route.know()
  for (const each of routes)
    Object.assign(
      each,
      contents.find(({ name }) => name === each.name),
    )
  return route
}

/** Addresses that redirect to a page. */
export const redirects: readonly { path: string; redirect: RouteName }[] = [
  { path: '/login', redirect: 'login.signin' },
  { path: '/account', redirect: 'account.userInfo' },
]

/** Whether a page is public. Only public pages have an address in every language and are meant for search engines. */
export const isPublic = (route: Route): boolean => route.guard === 'anyone' && route.rendered === 'ready'

/** Whether a route can be listed without querying data: it is public, not unlisted, and has exactly one address. */
export const isListed = (route: Route): boolean =>
  isPublic(route) && !route.isUnlisted && !route.path.includes(':')

export function getRoute(name: RouteName): Route {
  const route = routes.find((each) => each.name === name)
  if (!route) throw new Error(`no page ${name}`)
  return route
}

/** Loads the page itself, whose script is loaded on first use. */
export async function loadPage(route: Route): Promise<Page> {
  if (!route.find) throw new Error(`no page ${route.name}`)
  return route.find(await knowRoute(route))
}

/** Returns the label of a page in menus and breadcrumbs. */
export function labelOf(name: RouteName): PlainKey {
  const { label, title } = getRoute(name)
  return label ?? title
}

/** Returns the address of a page. Every link is built with this function. */
export const pathTo = (name: RouteName, params: Record<string, string> = {}): string =>
  getRoute(name).path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))

/** Returns the address of a public page in one language, whatever the reader has chosen. */
export const pathIn = (language: Language, name: RouteName, params: Record<string, string> = {}): string =>
  withPrefix(language, pathTo(name, params))
