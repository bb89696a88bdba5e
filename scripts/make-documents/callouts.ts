import type { MarkdownIt } from 'markdown-it'
import type { DocumentWords } from './document-words.ts'

const MARK = /^\[!(NOTE|WARNING|LEAD)\]\s*/

/**
 * Turns block quotes that begin with `[!NOTE]`, `[!WARNING]` or `[!LEAD]` into callouts. A lead is an opening
 * statement and has no label.
 */
export function calloutPlugin(md: MarkdownIt, words: DocumentWords): void {
  const labels: Record<string, string> = { note: words.note, warning: words.warning }

  // Runs before the inline rule, so that the marker is removed before the text is parsed.
  md.core.ruler.after('block', 'callouts', (state) => {
    const tags: string[] = []
    state.tokens.forEach((token, index) => {
      if (token.type === 'blockquote_open') {
        const inline = state.tokens[index + 2]
        const mark = inline?.type === 'inline' ? MARK.exec(inline.content) : null
        if (mark && inline) {
          inline.content = inline.content.slice(mark[0].length)
          token.tag = 'div'
          token.attrSet('class', mark[1]!.toLowerCase())
        }
        tags.push(token.tag)
      }
      if (token.type === 'blockquote_close') token.tag = tags.pop()!
    })
  })

  md.renderer.rules.blockquote_open = (tokens, index, options, _env, self) => {
    const label = labels[String(tokens[index]!.attrGet('class'))]
    const opening = self.renderToken(tokens, index, options)
    return label ? `${opening}<p class="label">${md.utils.escapeHtml(label)}</p>\n` : opening
  }
}
