import type { Language } from '#contract/fields.ts'
import type { Messages } from './i18n/message-key.ts'
import type { RouteName } from './routes/routes.ts'

export const pageDataId = 'page-data'

/** What the server sends to the browser with the HTML, so that React hydrates the same page. */
export type PageData = {
  route: RouteName
  language: Language
  messages: Messages
  content: { kind: 'page'; data: unknown } | { kind: 'loading' } | { kind: 'failed'; message: string }
  appId: string
  year: string
}
