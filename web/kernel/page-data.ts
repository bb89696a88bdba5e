import type { Language } from '#contract/platform/fields.ts'
import type { LocalizedBrand } from './content/brand.tsx'
import type { Messages, Namespace } from './i18n/message-key.ts'
import type { PageContents } from './routes/route.ts'
import type { Route, RouteName } from './routes/routes.ts'

export const pageDataId = 'page-data'

/** Data that the server sends with the HTML, so that React hydrates the same page. */
export type PageData = {
  route: RouteName
  language: Language
  messages: Messages
  brand: LocalizedBrand
  /** The contents of the page, for a browser that knows only its route. */
  contents: PageContents
  /** The address of the page's own script. */
  script: string
  /** Whether that script waits for the first sign of a reader (`waitsForReader`). */
  waits: boolean
  content: { kind: 'page'; data: unknown } | { kind: 'loading' } | { kind: 'failed'; message: string }
  appId: string
  year: string
}

/**
 * Returns the message files that are sent in full with a page. The content that fills a shell requests the others
 * itself.
 */
export const sentFiles = ({ guard, rendered, words }: Route): Namespace[] =>
  rendered === 'shell' && guard !== 'staff' ? ['layout'] : ['layout', ...words]
