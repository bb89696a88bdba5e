import type { StaffRight } from '#contract/platform/endpoint.ts'
import type { PlainKey, Namespace } from '../i18n/message-key.ts'
import type { ConsoleArea } from './console-areas.ts'

/**
 * `member` pages are for members, `staff` pages belong to the console, and `stranger` pages are only for visitors who
 * are not signed in.
 */
export type Guard = 'anyone' | 'member' | 'staff' | 'stranger'

/** The right that a console page requires. The server checks it again at every request. */
export type Need = { level: StaffRight; atLeast: 1 | 2 }

/** The location of a page, and who can open it. Links need nothing else. */
export type Place = {
  name: string
  /** The path in the address bar, with `:name` for each parameter. */
  path: string
  guard: Guard
  /** Set for console pages. */
  needs?: Need
  /** Its label in menus and breadcrumbs, from the `layout` messages if a menu shows it. Defaults to its title. */
  label?: PlainKey
  /** Whether a public page is kept out of search engines and the sitemap, because only links in emails lead to it. */
  isUnlisted?: true
  /** Its parent page, which is marked in the menu and shown in the breadcrumbs. */
  within?: string
  /**
   * `ready`: complete in the first HTML. `shell`: depends on the session or the address, so the frame is sent with a
   * loading state.
   */
  rendered: 'ready' | 'shell'
}

/**
 * The contents of a page. Browsers know those of their first page, and load all others on the way to the second one.
 */
export type PageContents = {
  /** Message files in addition to `layout` and `errors`. */
  words: readonly Namespace[]
  title: PlainKey
  description: PlainKey
  /** The query parameters that the page's data depends on. The server ignores all others. */
  query?: readonly string[]
  /** The topic of the page's data. The page is rendered again when it changes. */
  topic?: 'announcements' | 'ambassadors' | 'sale'
  /** Whether the page has effects on arrival, so that its script does not wait for a reader (`waitsForReader`). */
  startsAtOnce?: true
  /** For shell pages: the heading and lead, which are the same for everyone and are sent with the document. */
  begins?: { heading: PlainKey; lead: PlainKey }
  /** The page's module, below `web/`. */
  file: string
}

/**
 * Whether the page stays as the server rendered it until the first sign of a reader, and its script is loaded then.
 * Members, and addresses with a query or a fragment, do not wait.
 */
export const waitsForReader = ({
  guard,
  rendered,
  startsAtOnce,
}: Pick<PageEntry, 'guard' | 'rendered' | 'startsAtOnce'>): boolean =>
  rendered === 'ready' && (guard === 'anyone' || guard === 'stranger') && !startsAtOnce

/** The definition of a page before the names of all pages are known (`routes.ts`). */
export type PageEntry = Place & PageContents

/**
 * The navigation lists the pages that have an area in `menu`. All others are only reached from the page in `within`. A
 * page can have both.
 */
export type ConsoleEntry = PageEntry & ({ menu: ConsoleArea } | { within: string; menu?: never })

/** Returns the part of a query that the page's data depends on, in canonical form. */
export function queryFor(route: Pick<PageEntry, 'query'>, search: URLSearchParams): URLSearchParams {
  const kept = (route.query ?? []).flatMap((name) => {
    const value = search.get(name)
    return value ? [[name, value]] : []
  })
  return new URLSearchParams(kept)
}
