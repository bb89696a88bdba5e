/** What a PDF says outside of its streams: its tokens without comments and the contents of strings, names in plain letters. */
export type PdfObjects = { text: string; streams: { dictionary: string; start: number }[] }

const token =
  /[\0\t\n\f\r ]+|%[^\r\n]*|<<|>>|<[^<>]*>|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[^\0\t\n\f\r ()<>[\]{}/%]+|[^]/y

/** Undefined where a string or a stream has no end. */
export function readObjects(source: string): PdfObjects | undefined {
  const tokens: string[] = []
  const open: number[] = []
  const streams: PdfObjects['streams'] = []
  /** Where the dictionary begins that has just ended. */
  let ended: number | undefined
  for (let at = 0; at < source.length;) {
    token.lastIndex = at
    const [found] = token.exec(source)!
    at = token.lastIndex
    // A comment is white space.
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

/** Strings hold others, and brackets that are escaped. */
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

/** Names may be written with the codes of their letters: `/J#61vaScript`. */
export const withoutEscapes = (text: string): string =>
  text.replaceAll(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

const plainName = (name: string): string =>
  `/${withoutEscapes(name)
    .slice(1)
    .replaceAll(/[^\w.:+-]/g, '_')}`
