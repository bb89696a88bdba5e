import type { StaffRight } from '#contract/endpoint.ts'
import type { PlainKey, Namespace } from '../i18n/message-key.ts'

/**
 * `member` pages are for members, `staff` pages are the console's, and `stranger` pages are only for visitors
 * who are not signed in.
 */
export type Guard = 'anyone' | 'member' | 'staff' | 'stranger'

/** The right that a page of the console requires. The server checks it again at each call. */
export type Need = { level: StaffRight; atLeast: 1 | 2 }

/** Where a page is, and who can open it: all that links need. */
export type Place = {
  name: string
  /** As in the address bar, with `:name` for each parameter. */
  path: string
  guard: Guard
  /** For console pages. */
  needs?: Need
  /** Its label in menus and breadcrumbs, from the `layout` messages if a menu shows it. Defaults to its title. */
  label?: PlainKey
  /** Its parent page: marked in the menu, and shown in the breadcrumbs. */
  within?: string
  /**
   * `ready`: complete in the first HTML. `shell`: depends on session or address, so the frame is sent with a
   * loading state.
   */
  rendered: 'ready' | 'shell'
}

/**
 * What a page shows. Browsers know it for their first page, and load it for all others on the way to the
 * second.
 */
export type PageContents = {
  /** Message files in addition to `layout` and `errors`. */
  words: readonly Namespace[]
  title: PlainKey
  description: PlainKey
  /** The query parameters that the page's data depends on; the server ignores all others. */
  query?: readonly string[]
  /** The topic of the page's data; the page is rendered again when it changes. */
  topic?: 'announcements' | 'ambassadors'
  /** For shell pages: the heading and lead, which are the same for everyone and are sent with the document. */
  begins?: { heading: PlainKey; lead: PlainKey }
  /** The page's module, below `web/`. */
  file: string
}

/** The definition of a page before the names of all pages are known (`routes.ts`). */
export type PageEntry = Place & PageContents

/** The part of a query that the page's data depends on, in canonical form. */
export function queryFor(route: Pick<PageEntry, 'query'>, given: URLSearchParams): URLSearchParams {
  const kept = (route.query ?? []).flatMap((name) => {
    const value = given.get(name)
    return value ? [[name, value]] : []
  })
  return new URLSearchParams(kept)
}
