import type { PageHead } from '../routes/page.ts'
import { name } from '#content/brand.json'
import type { PlainKey } from '../i18n/message-key.ts'
import type { View } from './view.ts'

/** The metadata of the page shown. */
export const headOfView = ({ content }: Pick<View, 'content'>): PageHead =>
  content.kind === 'page' ? (content.page.head?.(content.data) ?? {}) : {}

/** The title of the document. Console pages have plain titles, which menus show as well. */
export function titleOfView(view: Pick<View, 'content' | 'route'>, say: (key: PlainKey) => string): string {
  const { guard, title } = view.route
  return headOfView(view).title ?? (guard === 'staff' ? `${say(title)} · ${name}` : say(title))
}
