import { EMBEDDED_FONT_NAMES } from './fonts.ts'

/** Chromium writes PDF objects as plain text around compressed streams; as Latin-1 every byte stays one character. */
const asText = (pdf: Buffer): string => pdf.toString('latin1')

/**
 * Makes everything constant that depends on the time and machine of printing, without changing the pages: both dates
 * become the first of `date`'s month, the creator is `creator`, and header cells are named from 1. Replacements keep
 * their length, so that the cross-reference table stays valid.
 */
export function withStableBytes(pdf: Buffer, date: string, creator: string): Buffer {
  const stamp = `D:${date.replace('-', '')}01000000+00'00'`
  const text = asText(pdf)
    .replace(/(?<=\/(?:CreationDate|ModDate) \()[^)]*(?=\))/g, (found) => {
      if (found.length !== stamp.length) throw new Error(`unexpected date in PDF: ${found}`)
      return stamp
    })
    .replace(/\/Creator \((?:\\.|[^\\)])*\)/, (found) => `/Creator (${creator})`.padEnd(found.length))
  return Buffer.from(withRenamedHeaderCells(text), 'latin1')
}

/**
 * Chromium names header cells after an internal counter. They are renamed in file order, and the name tree is sorted
 * again.
 */
function withRenamedHeaderCells(text: string): string {
  const names = [...new Set(Array.from(text.matchAll(/\/ID \((node\d{8})\)/g), (match) => match[1]!))]
  const place = new Map(names.map((name, at) => [name, at + 1]))
  const newName = (name: string) => `node${String(place.get(name)).padStart(8, '0')}`
  const trees = text.match(/<<\/Limits \[\(node/g)?.length ?? 0
  if (trees > 1) throw new Error('the tree of header cells has branches, which is not supported')
  return text
    .replace(/(?<=\()node\d{8}(?=\))/g, newName)
    .replace(
      /\/Limits \[\(node\d+\) \(node\d+\)\]/,
      `/Limits [(${newName(names[0]!)}) (${newName(names.at(-1)!)})]`,
    )
    .replace(/\/Names \[[^\]]*\]/, (leaf) => {
      const entry = /\(node\d{8}\) \d+ 0 R/g
      const sorted = (leaf.match(entry) ?? []).sort()
      return leaf.replace(entry, () => sorted.shift()!)
    })
}

/** Rejects pages that are untagged or use a typeface other than the documents' own. */
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

/** The page number, from 1, of each link target `s1`, `s2`, … */
export function findTargetPages(pdf: Buffer): Map<string, number> {
  const text = asText(pdf)
  const pages = pageObjects(text)
  const targets = [...text.matchAll(/\/(s\d+) \[(\d+) 0 R \/XYZ/g)]
  return new Map(targets.map((match) => [match[1]!, pages.indexOf(match[2]!) + 1]))
}
