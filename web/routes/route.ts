import type { PlainKey, Namespace } from '../i18n/message-key.ts'
import type { Page } from './page.ts'

/** `member` pages are for the signed in, `stranger` pages for everybody else. */
export type Guard = 'anyone' | 'member' | 'stranger'

/** What is said of a page, before the names of all pages are known (`routes.ts`). */
export type PageEntry = {
  name: string
  /** As in the address bar, with `:name` for each parameter. */
  path: string
  guard: Guard
  /** Message files beside `layout` and `errors`. */
  words: readonly Namespace[]
  title: PlainKey
  /** What menus and the way to the page call it; from the words of `layout` where a menu shows it. Else its title. */
  label?: PlainKey
  /** The page that it belongs to: the menu marks it, and the way to this one leads over it. */
  within?: string
  description: PlainKey
  /** `ready`: whole in the first HTML. `shell`: depends on session or address, so the frame comes with a loading state. */
  rendered: 'ready' | 'shell'
  /** What of the query the page's data depends on; the server shows nothing of the rest. */
  query?: readonly string[]
  /** What the page's data is made of; it is rendered anew when that changes. */
  topic?: 'announcements'
  /** The page's module, below `web/`. */
  file: string
  page: () => Promise<{ default: Page }>
}

/** The part of a query that the page's data depends on, always written in the same way. */
export function queryFor(route: Pick<PageEntry, 'query'>, given: URLSearchParams): URLSearchParams {
  const kept = (route.query ?? []).flatMap((name) => {
    const value = given.get(name)
    return value ? [[name, value]] : []
  })
  return new URLSearchParams(kept)
}
