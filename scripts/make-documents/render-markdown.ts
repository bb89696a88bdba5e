import MarkdownIt from 'markdown-it'
import { calloutPlugin } from './callouts.ts'
import type { DocumentWords } from './document-words.ts'
import { figure } from './drawings/figures.ts'

export type Heading = { id: string; level: 2 | 3; text: string }
type RenderedMarkdown = { html: string; headings: Heading[] }

/** Replaces a thematic break. */
export const PAGE_BREAK = '<div class="page-break"></div>\n'

/** Tables from this many columns on, or with code as long as a coin address, use the whole page width. */
const WIDE_TABLE_COLUMNS_MIN = 4
const WIDE_TABLE_CODE_MIN = 40

/** Commands after a `$ ` or `> ` prompt stand out from the output around them. */
function consoleBlock(text: string, escape: (text: string) => string): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const prompt = /^(\$|#|C:\\>|PS>) /.exec(line)
      if (!prompt) return `<span class="output">${escape(line)}</span>`
      return `<span class="prompt">${escape(prompt[1]!)}</span> <b>${escape(line.slice(prompt[0].length))}</b>`
    })
  return `<pre class="console"><code>${lines.join('\n')}</code></pre>\n`
}

/**
 * Markdown to HTML. Beyond CommonMark and tables: `> [!NOTE]` callouts, `console` blocks, `figure <kind>` blocks,
 * and a thematic break, which starts a new page.
 */
export function renderMarkdown(markdown: string, words: DocumentWords): RenderedMarkdown {
  const md = new MarkdownIt({ html: false, linkify: false, typographer: false }).use(calloutPlugin, words)
  const { escapeHtml } = md.utils
  const headings: Heading[] = []

  // The PDF tags of strong and em are newer than the PDF version that Chromium writes.
  md.renderer.rules.strong_open = () => '<b>'
  md.renderer.rules.strong_close = () => '</b>'
  md.renderer.rules.em_open = () => '<i>'
  md.renderer.rules.em_close = () => '</i>'

  md.renderer.rules.hr = () => PAGE_BREAK

  md.renderer.rules.fence = (tokens, index) => {
    const { info, content } = tokens[index]!
    const [name, kind = ''] = info.trim().split(/\s+/)
    if (name === 'figure') return figure(kind, content, (text) => md.renderInline(text))
    if (name === 'console') return consoleBlock(content, escapeHtml)
    return `<pre><code>${escapeHtml(content.trimEnd())}</code></pre>\n`
  }

  md.renderer.rules.heading_open = (tokens, index) => {
    const { tag } = tokens[index]!
    const text = tokens[index + 1]!.content
    if (tag !== 'h2' && tag !== 'h3')
      throw new Error(`only second and third level headings are used: "${text}"`)
    const id = `s${headings.length + 1}`
    headings.push({ id, level: tag === 'h2' ? 2 : 3, text })
    return `<${tag} id="${id}">`
  }

  md.renderer.rules.table_open = (tokens, index) => {
    const end = tokens.findIndex((token, at) => at > index && token.type === 'table_close')
    const table = tokens.slice(index, end)
    const columns = table.filter(({ type }) => type === 'th_open').length
    const codes = table.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'code_inline')
    const hasLongCode = codes.some(({ content }) => content.length >= WIDE_TABLE_CODE_MIN)
    return columns >= WIDE_TABLE_COLUMNS_MIN || hasLongCode ? '<table class="wide">' : '<table>'
  }
  md.renderer.rules.th_open = (tokens, index, options, _env, self) => {
    if (!tokens[index + 1]!.content)
      throw new Error('a header cell is empty: assistive technology needs its name')
    tokens[index]!.attrSet('scope', 'col')
    return self.renderToken(tokens, index, options)
  }

  return { html: md.render(markdown), headings }
}
