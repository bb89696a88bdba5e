import { constants, inflateRawSync } from 'node:zlib'
import { MIB } from '#contract/platform/fields.ts'

export type ReadPdf =
  | { kind: 'fine'; pages: number }
  /** Field errors: not a PDF, a PDF whose pages can't be counted, or one with active content. */
  | { kind: 'document' | 'document_pages' | 'document_active' }

const pagesMax = 2000

/** Keys of ISO 32000 that run, send, or embed something. A link to an address is allowed. */
const active =
  /\/(JavaScript|JS|Launch|SubmitForm|ImportData|XFA|RichMedia|EmbeddedFiles?|GoToE|AA|Rendition|Movie|Sound)(?![A-Za-z\d])/

/**
 * Keys too long to occur in an image by chance: they are rejected anywhere, whatever the file says about that place.
 */
const activeAnywhere =
  /\/(JavaScript|Launch|SubmitForm|ImportData|RichMedia|EmbeddedFiles?|GoToE|Rendition|Movie|Sound)(?![A-Za-z\d])/

/** Other stream encodings, which programs that write object streams do not use. */
const otherFilters = /\/(ASCII85Decode|ASCIIHexDecode|LZWDecode|RunLengthDecode|Crypt)(?![A-Za-z\d])/
const streamsOfObjects = /\/(ObjStm|XRef)(?![A-Za-z\d])/

/** The maximum size of one decompressed stream, and of all together, in bytes. */
const inflatedMax = 64 * MIB
const allInflatedMax = 512 * MIB

/**
 * Decompresses all streams, by offset. PDF readers find objects by offset, even in comments or strings, so
 * every possible stream is checked. False if one can't be decompressed.
 */
function inflateStreams(
  bytes: Buffer,
  text: string,
  look: (start: number, content: string) => void,
): boolean {
  let inflated = 0
  for (const { index, 0: begin } of text.matchAll(/(?<!end)stream(\r\n|\n|\r)/g)) {
    const start = index + begin.length
    const isCompressed =
      (bytes[start] ?? 0) % 16 === 8 && bytes.readUInt16BE(Math.min(start, bytes.length - 2)) % 31 === 0
    if (!isCompressed) continue
    try {
      // PDF readers continue if the checksum is wrong or missing.
      const content = inflateRawSync(bytes.subarray(start + 2), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: inflatedMax,
        chunkSize: MIB / 4,
      })
      inflated += content.length
      if (inflated > allInflatedMax) return false
      look(start, content.toString('latin1'))
    } catch {
      return false
    }
  }
  return true
}

/** The content of a PDF outside its streams: tokens without comments and string contents, with names unescaped. */
type PdfObjects = { text: string; streams: { dictionary: string; start: number }[] }

const token =
  /[\0\t\n\f\r ]+|%[^\r\n]*|<<|>>|<[^<>]*>|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[^\0\t\n\f\r ()<>[\]{}/%]+|[^]/y

/** Undefined if a string or stream has no end. */
function readObjects(source: string): PdfObjects | undefined {
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
const withoutEscapes = (text: string): string =>
  text.replaceAll(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

const plainName = (name: string): string =>
  `/${withoutEscapes(name)
    .slice(1)
    .replaceAll(/[^\w.:+-]/g, '_')}`

/**
 * Checks a PDF by its bytes, without executing anything: its objects, its page count, and whether it would act
 * in the reader's program.
 */
export function readPdf(bytes: Buffer): ReadPdf {
  const text = bytes.toString('latin1')
  const isWhole =
    /^%PDF-[12]\.\d/.test(text) && /startxref\s+\d+\s+%%EOF\s*$/.test(text.slice(-1024).trimEnd() + '\n')
  if (!isWhole) return { kind: 'document' }
  const raw = withoutEscapes(text)
  // Encrypted content can't be checked.
  if (/\/Encrypt(?![A-Za-z])/.test(raw)) return { kind: 'document' }
  if (otherFilters.test(raw) && streamsOfObjects.test(raw)) return { kind: 'document' }
  let isActive = activeAnywhere.test(raw)
  const outer = readObjects(text)
  if (outer === undefined) return { kind: 'document' }
  const parts = [outer.text]
  const ofObjects = new Map(
    outer.streams.filter((each) => isOfObjects(each.dictionary)).map((each) => [each.start, each.dictionary]),
  )
  const isRead = inflateStreams(bytes, text, (start, content) => {
    if (activeAnywhere.test(content.includes('#') ? withoutEscapes(content) : content)) isActive = true
    const inner = ofObjects.get(start) && !hasParameters(ofObjects.get(start)!) && readObjects(content)
    if (!inner) return
    parts.push(inner.text)
    ofObjects.delete(start)
  })
  // An unread stream that contains objects could contain anything.
  if (!isRead || ofObjects.size > 0) return { kind: 'document' }
  const objects = parts.join('\n')
  if (isActive || active.test(objects)) return { kind: 'document_active' }
  const pages = countPages(objects)
  return pages === undefined ? { kind: 'document_pages' } : { kind: 'fine', pages }
}

const isOfObjects = (dictionary: string): boolean =>
  /\/Type \/ObjStm(?![A-Za-z])/.test(dictionary) || (/\/First /.test(dictionary) && /\/N /.test(dictionary))

/** With parameters, the decompressed data is not yet what PDF readers see. */
const hasParameters = (dictionary: string): boolean => /\/(DecodeParms|DP|F) /.test(dictionary)

const marks = /<<|>>|\/Type\s*\/Pages(?![A-Za-z])|\/Count\s+(\d{1,6})(?!\d)/g

/**
 * Returns the page count: the root of the page tree counts all pages, so it is the maximum. Dictionaries are recognized
 * by their brackets.
 */
function countPages(objects: string): number | undefined {
  const open: { isPages: boolean; count: number }[] = []
  let pages = 0
  for (const [mark, count] of objects.matchAll(marks)) {
    const inner = open.at(-1)
    if (mark === '<<') open.push({ isPages: false, count: 0 })
    else if (mark === '>>') {
      if (inner?.isPages) pages = Math.max(pages, inner.count)
      open.pop()
    } else if (inner && count !== undefined) inner.count = Number(count)
    else if (inner) inner.isPages = true
  }
  return pages >= 1 && pages <= pagesMax ? pages : undefined
}
