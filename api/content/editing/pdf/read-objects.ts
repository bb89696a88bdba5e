/** The content of a PDF outside its streams: tokens without comments and string contents, with names unescaped. */
type PdfObjects = { text: string; streams: { dictionary: string; start: number }[] }

const token =
  /[\0\t\n\f\r ]+|%[^\r\n]*|<<|>>|<[^<>]*>|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[^\0\t\n\f\r ()<>[\]{}/%]+|[^]/y

/** Undefined if a string or stream has no end. */
export function readObjects(source: string): PdfObjects | undefined {
  const tokens: string[] = []
  const open: number[] = []
  const streams: PdfObjects['streams'] = []
  /** Start of the dictionary that has just ended. */
  let ended: number | undefined
  for (let at = 0; at < source.length;) {
    token.lastIndex = at
    const [found] = token.exec(source)!
    at = token.lastIndex
    // A comment counts as white space.
    if (/^[\0\t\n\f\r %]/.test(found)) continue
    const begin = ended
    ended = undefined
    if (found === '(') {
      const end = endOfString(source, at)
      if (end === undefined) return undefined
      at = end
      tokens.push('()')
    } else if (found === 'stream' && begin !== undefined) {
      const start = /^\r?\n/.exec(source.slice(at, at + 2))
      const end = source.indexOf('endstream', at)
      if (!start || end < 0) return undefined
      streams.push({ dictionary: tokens.slice(begin).join(' '), start: at + start[0].length })
      at = end + 'endstream'.length
    } else {
      if (found === '<<') open.push(tokens.length)
      if (found === '>>') ended = open.pop()
      tokens.push(found.startsWith('/') ? plainName(found) : found)
    }
  }
  return { text: tokens.join(' '), streams }
}

/** Strings may contain nested and escaped brackets. */
function endOfString(source: string, from: number): number | undefined {
  const bracket = /\\[^]|[()]/g
  bracket.lastIndex = from
  for (let depth = 1; depth > 0;) {
    const found = bracket.exec(source)
    if (!found) return undefined
    if (found[0] === '(') depth += 1
    if (found[0] === ')') depth -= 1
  }
  return bracket.lastIndex
}

/** Decodes character codes in names: `/J#61vaScript`. */
export const withoutEscapes = (text: string): string =>
  text.replaceAll(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

const plainName = (name: string): string =>
  `/${withoutEscapes(name)
    .slice(1)
    .replaceAll(/[^\w.:+-]/g, '_')}`
