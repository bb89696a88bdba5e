import type { PageHead } from '../routes/page.ts'
import type { View } from './view.ts'

/** The metadata of the page shown. */
export const headOfView = ({ content }: Pick<View, 'content'>): PageHead =>
  content.kind === 'page' ? (content.page.head?.(content.data) ?? {}) : {}
