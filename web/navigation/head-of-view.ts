import type { PageHead } from '../routes/page.ts'
import type { View } from './view.ts'

/** What the page on view says of itself. */
export const headOfView = ({ content }: Pick<View, 'content'>): PageHead =>
  content.kind === 'page' ? (content.page.head?.(content.data) ?? {}) : {}
