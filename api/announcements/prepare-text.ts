import { isEmptyHtml, sanitise } from './sanitise.ts'
import { summarise } from './summarise.ts'

export type PreparedText = { content: string; contentSummary: string; isEmpty: boolean }

/** Everything derived from a submitted text. */
export function prepareText(html: string): PreparedText {
  const content = sanitise(html)
  return { content, contentSummary: summarise(content), isEmpty: isEmptyHtml(content) }
}
