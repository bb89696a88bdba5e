import { convertStyles } from './pasted-styles.ts'

/**
 * Cleans HTML pasted from Word and web pages before the editor parses it: removes comments, styles, elements in
 * foreign namespaces, and pictures hosted elsewhere, which the page's policy would block.
 */
export function cleanPaste(html: string, origin: string): string {
  return (
    convertStyles(html)
      .replaceAll(/<!--[\s\S]*?-->/g, '')
      .replaceAll(/<!\[[\s\S]*?\]>/g, '')
      .replaceAll(/<(style|script|title|xml)\b[\s\S]*?<\/\1\s*>/gi, '')
      .replaceAll(/<\/?(?:[a-z]+:[a-z]+|meta|link|font|o|v|w)\b[^>]*>/gi, '')
      .replaceAll(
        /<p\b[^>]*class="?MsoListParagraph[^>]*>\s*(?:<[^>]*>|\s)*[·•§o](?:<[^>]*>|&nbsp;|\s)+/gi,
        '<p>• ',
      )
      .replaceAll(/<img\b[^>]*>/gi, (tag) => (isOwn(tag, origin) ? tag : ''))
      // The page's Content-Security-Policy blocks style attributes even in HTML that is only parsed.
      .replaceAll(/(<[^>]*?)\sstyle\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '$1')
      .replaceAll(/\u00a0|&nbsp;/g, ' ')
  )
}

function isOwn(tag: string, origin: string): boolean {
  const src = /\ssrc\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1] ?? ''
  return src.startsWith('/assets/') || src.startsWith(`${origin}/assets/`)
}
