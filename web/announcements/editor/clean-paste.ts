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

/**
 * Programs such as Google Docs write bold text as a styled span instead of an element. Styles are removed, so they are
 * converted to elements first. Spans can be nested: each end tag closes what its start tag opened.
 */
function convertStyles(html: string): string {
  const open: { name: string; ends: string }[] = []
  return html.replaceAll(
    /<(\/?)(span|b|strong|i|em)\b((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi,
    (tag, slash, name, rest) => {
      const element = String(name).toLowerCase()
      if (slash) {
        const last = open.findLastIndex((each) => each.name === element)
        if (last === -1) return tag
        return open.splice(last, 1)[0]!.ends
      }
      const style = styleOf(String(rest))
      const isPlain = isUndone(element, style)
      const textStyles = elementsOf(style).filter((each) => !impliedStyles[element]?.includes(each))
      open.push({
        name: element,
        ends: `${textStyles
          .toReversed()
          .map((each) => `</${each}>`)
          .join('')}${isPlain ? '' : `</${element}>`}`,
      })
      return `${isPlain ? '' : tag}${textStyles.map((each) => `<${each}>`).join('')}`
    },
  )
}

/** Formatting that an element already implies. */
const impliedStyles: Readonly<Record<string, readonly string[]>> = {
  b: ['strong'],
  strong: ['strong'],
  i: ['em'],
  em: ['em'],
}

const styleOf = (attributes: string): string =>
  (/\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(` ${attributes}`)?.slice(1).find(Boolean) ?? '')
    .replaceAll('&quot;', '"')
    .toLowerCase()

const valueOf = (style: string, property: string): string =>
  new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]*)`).exec(style)?.[1]?.trim() ?? ''

/** Google Docs wraps everything that is copied in a bold element, whose style resets it to normal. */
function isUndone(element: string, style: string): boolean {
  if (element === 'b' || element === 'strong') return /^(normal|[1-5]00)$/.test(valueOf(style, 'font-weight'))
  if (element === 'i' || element === 'em') return valueOf(style, 'font-style') === 'normal'
  return false
}

function elementsOf(style: string): string[] {
  const line = `${valueOf(style, 'text-decoration')} ${valueOf(style, 'text-decoration-line')}`
  const height = valueOf(style, 'vertical-align')
  return [
    ...(/^(bold|bolder|[6-9]00)$/.test(valueOf(style, 'font-weight')) ? ['strong'] : []),
    ...(/^(italic|oblique)/.test(valueOf(style, 'font-style')) ? ['em'] : []),
    ...(line.includes('underline') ? ['u'] : []),
    ...(line.includes('line-through') ? ['s'] : []),
    ...(height === 'super' ? ['sup'] : []),
    ...(height === 'sub' ? ['sub'] : []),
  ]
}
