import { isEmptyHtml, sanitize } from './sanitize.ts'
import { summarize } from './summarize.ts'

export type PreparedText = { content: string; contentSummary: string; isEmpty: boolean }

/** Everything derived from a submitted text. */
export function prepareText(html: string): PreparedText {
  const content = sanitize(html)
  return { content, contentSummary: summarize(content), isEmpty: isEmptyHtml(content) }
}
