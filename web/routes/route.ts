import type { StaffRight } from '#contract/endpoint.ts'
import type { PlainKey, Namespace } from '../i18n/message-key.ts'

/**
 * `member` pages are for members, `staff` pages are the console's, `stranger` pages only for visitors who are not signed
 * in.
 */
export type Guard = 'anyone' | 'member' | 'staff' | 'stranger'

/** What a page of the console asks of those who open it. The server asks again at each call. */
export type Need = { level: StaffRight; atLeast: 1 | 2 }

/** Where a page is, and for whom: what links need. */
export type Place = {
  name: string
  /** As in the address bar, with `:name` for each parameter. */
  path: string
  guard: Guard
  /** Of pages of the console. */
  needs?: Need
  /** Its label in menus and breadcrumbs, from the `layout` messages if a menu shows it. Defaults to its title. */
  label?: PlainKey
  /** Its parent page: marked in the menu, and shown in the breadcrumbs. */
  within?: string
  /** `ready`: whole in the first HTML. `shell`: depends on session or address, so the frame comes with a loading state. */
  rendered: 'ready' | 'shell'
}

/** What a page shows. Browsers know it of the page that they begin with, and of all others on the way to the second. */
export type PageContents = {
  /** Message files besides `layout` and `errors`. */
  words: readonly Namespace[]
  title: PlainKey
  description: PlainKey
  /** The query parameters that the page's data depends on; the server ignores all others. */
  query?: readonly string[]
  /** What the page's data comes from; the page is rendered again when that changes. */
  topic?: 'announcements' | 'ambassadors'
  /** Of a page in a frame: what it begins with, whoever it is for. It comes with the document. */
  begins?: { heading: PlainKey; lead: PlainKey }
  /** The page's module, below `web/`. */
  file: string
}

/** What is said of a page, before the names of all pages are known (`routes.ts`). */
export type PageEntry = Place & PageContents

/** The part of a query that the page's data depends on, in canonical form. */
export function queryFor(route: Pick<PageEntry, 'query'>, given: URLSearchParams): URLSearchParams {
  const kept = (route.query ?? []).flatMap((name) => {
    const value = given.get(name)
    return value ? [[name, value]] : []
  })
  return new URLSearchParams(kept)
}
