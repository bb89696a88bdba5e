import { EMBEDDED_FONT_NAMES } from './fonts.ts'

const NODE_NAME = /(?<=\()node\d{8}(?=\))/g

/** Chromium writes PDF objects as plain text around compressed streams; as Latin-1 every byte stays one character. */
const asText = (pdf: Buffer): string => pdf.toString('latin1')

/**
 * The same pages with everything fixed that depends on when and where they were printed: both dates become the first of
 * `date`'s month, the creator is `creator`, and table cells are numbered from 1. Replacements keep their length, so the
 * cross-reference table stays right.
 */
export function withStableBytes(pdf: Buffer, date: string, creator: string): Buffer {
  const stamp = `D:${date.replace('-', '')}01000000+00'00'`
  const text = asText(pdf)
    .replace(/(?<=\/(?:CreationDate|ModDate) \()[^)]*(?=\))/g, (found) => {
      if (found.length !== stamp.length) throw new Error(`unexpected date in PDF: ${found}`)
      return stamp
    })
    .replace(/\/Creator \((?:\\.|[^\\)])*\)/, (found) => `/Creator (${creator})`.padEnd(found.length))
  return Buffer.from(withRenumberedNodes(text), 'latin1')
}

/** Chromium names header cells after its internal counter. The order is kept, because the names form a sorted tree. */
function withRenumberedNodes(text: string): string {
  const names = [...new Set(text.match(NODE_NAME))].sort()
  const place = new Map(names.map((name, at) => [name, at + 1]))
  return text.replace(NODE_NAME, (name) => `node${String(place.get(name)).padStart(8, '0')}`)
}

/** Refuses pages that are untagged, or set with a typeface other than the ones the documents bring along. */
export function assertWellMade(pdf: Buffer, name: string): void {
  const text = asText(pdf)
  if (!text.includes('/MarkInfo') || !text.includes('/StructTreeRoot'))
    throw new Error(`${name} is not tagged`)
  const fonts = [...text.matchAll(/\/BaseFont \/(?:[A-Z]{6}\+)?([^\s/]+)/g)].map((match) => match[1]!)
  const strays = fonts.filter((font) => !EMBEDDED_FONT_NAMES.test(font))
  if (strays.length > 0) throw new Error(`${name} needs a typeface it does not bring: ${strays.join(', ')}`)
  if (/\/Subtype \/Type3\b/.test(text))
    throw new Error(`${name} has glyphs drawn as Type 3: a weight or style is missing`)
}

function pageObjects(text: string): string[] {
  return [...text.matchAll(/(\d+) 0 obj\s*<<\/Type \/Page\s/g)].map((match) => match[1]!)
}

export function countPages(pdf: Buffer): number {
  return pageObjects(asText(pdf)).length
}

/** The page, from 1, on which each link target `s1`, `s2`, … stands. */
export function findTargetPages(pdf: Buffer): Map<string, number> {
  const text = asText(pdf)
  const pages = pageObjects(text)
  const targets = [...text.matchAll(/\/(s\d+) \[(\d+) 0 R \/XYZ/g)]
  return new Map(targets.map((match) => [match[1]!, pages.indexOf(match[2]!) + 1]))
}
