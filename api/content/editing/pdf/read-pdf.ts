import { inflateSync } from 'node:zlib'
import { MIB } from '#contract/fields.ts'

export type ReadPdf =
  | { kind: 'fine'; pages: number }
  /** Fields' problems: no PDF, one whose pages nobody can count, one that does something. */
  | { kind: 'document' | 'document_pages' | 'document_active' }

const pagesMax = 2000
/** What the compressed objects of one file may become, all together. */
const inflatedMax = 64 * MIB

/** What runs, sends or carries something, by the names of ISO 32000. A link to an address is none of it. */
const active =
  /\/(JavaScript|JS|Launch|SubmitForm|ImportData|XFA|RichMedia|EmbeddedFiles?|GoToE|AA|Rendition|Movie|Sound)(?![A-Za-z\d])/

/**
 * Looks at a PDF by its bytes, without running anything of it: where its objects are, how many pages its tree counts, and
 * whether it would do anything in the reader's program.
 */
export function readPdf(bytes: Buffer): ReadPdf {
  const text = bytes.toString('latin1')
  const isWhole =
    /^%PDF-[12]\.\d/.test(text) && /startxref\s+\d+\s+%%EOF\s*$/.test(text.slice(-1024).trimEnd() + '\n')
  if (!isWhole) return { kind: 'document' }
  const objects = objectsOf(bytes, text)
  if (objects === undefined) return { kind: 'document' }
  // Nobody here could see what is in it.
  if (/\/Encrypt(?![A-Za-z])/.test(objects)) return { kind: 'document' }
  if (active.test(objects)) return { kind: 'document_active' }
  const pages = countPages(objects)
  return pages === undefined ? { kind: 'document_pages' } : { kind: 'fine', pages }
}

/** All objects as text: without the contents of streams, but with those of the streams that hold objects. */
function objectsOf(bytes: Buffer, text: string): string | undefined {
  const parts: string[] = []
  let inflated = 0
  let from = 0
  const begin = /(?<!end)stream\r?\n/g
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const start = found.index + found[0].length
    const end = text.indexOf('endstream', start)
    if (end < 0) return undefined
    const head = text.slice(from, found.index)
    parts.push(head)
    const dictionary = withoutEscapes(head.slice(Math.max(0, head.lastIndexOf(' obj'))))
    if (/\/Type\s*\/ObjStm(?![A-Za-z])/.test(dictionary)) {
      const content = inflate(bytes.subarray(start, end), inflatedMax - inflated)
      if (!content) return undefined
      inflated += content.length
      parts.push(content.toString('latin1'))
    }
    from = end
    begin.lastIndex = end + 'endstream'.length
  }
  parts.push(text.slice(from))
  return withoutEscapes(parts.join('\n'))
}

/** Names may be written with the codes of their letters: `/J#61vaScript`. */
const withoutEscapes = (text: string): string =>
  text.replaceAll(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

function inflate(bytes: Buffer, lengthMax: number): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, lengthMax) })
  } catch {
    return undefined
  }
}

const marks = /<<|>>|\/Type\s*\/Pages(?![A-Za-z])|\/Count\s+(\d{1,6})(?!\d)/g

/** The root of the tree of pages counts all of them: no other node counts more. A dictionary is told by its own brackets. */
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
