import { inflateStreams } from './inflate-streams.ts'
import { readObjects, withoutEscapes } from './read-objects.ts'

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
