import { isEmptyHtml, sanitise } from './sanitise.ts'
import { summarize } from './summarize.ts'

export type PreparedText = { content: string; contentSummary: string; isEmpty: boolean }

/** Everything derived from a submitted text. */
export function prepareText(html: string): PreparedText {
  const content = sanitise(html)
  return { content, contentSummary: summarize(content), isEmpty: isEmptyHtml(content) }
}
