import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { documentHtml } from './make-documents/document-html.ts'
import { fingerprintOf, listDocuments, type DocumentSource } from './make-documents/document-source.ts'
import { readWords } from './make-documents/document-words.ts'
import { EMBEDDED_FONT_NAMES } from './make-documents/fonts.ts'
import { openBrowser } from './open-browser.ts'

/*
 * Makes every document of content/documents into content/media/pdfs/<base>-<language>.pdf and lists them in
 * documents.json there. `npm run make:documents -- --only brochure --out /tmp/proof` makes a proof of selected ones.
 */

const SOURCES = new URL('../content/documents', import.meta.url).pathname
const PDFS = new URL('../content/media/pdfs', import.meta.url).pathname

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? undefined : process.argv[at + 1]
}

const only = argument('only')?.split(',')
const out = argument('out') ?? PDFS
if (only && out === PDFS)
  throw new Error('--only requires --out because the committed list names every document')

const words = readWords(SOURCES)
const sources = listDocuments(SOURCES)
const manualCount = sources.filter(({ kind, language }) => kind === 'manual' && language === 'en').length

type Printer = { print: (html: string) => Promise<Buffer>; close: () => Promise<void> }

/** Prints HTML as a tagged PDF with an outline. The HTML is loaded from a file, so that fonts on disk load too. */
async function openPrinter(): Promise<Printer> {
  const browser = await openBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'documents-'))
  const file = join(folder, 'page.html')
  const page = await browser.newPage()
  return {
    async print(html) {
      writeFileSync(file, html)
      await page.goto(pathToFileURL(file).href)
      await page.evaluate('document.fonts.ready')
      return page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true })
    },
    async close() {
      await browser.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const printer = await openPrinter()

/** Chromium writes PDF objects as plain text around compressed streams; as Latin-1 every byte stays one character. */
const asText = (pdf: Buffer): string => pdf.toString('latin1')

/**
 * Makes everything constant that depends on the time and machine of printing, without changing the pages: both dates
 * become the first of `date`'s month, the creator is `creator`, and header cells are named from 1. Replacements keep
 * their length, so that the cross-reference table stays valid.
 */
function withStableBytes(pdf: Buffer, date: string, creator: string): Buffer {
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
function assertWellMade(pdf: Buffer, name: string): void {
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

function countPages(pdf: Buffer): number {
  return pageObjects(asText(pdf)).length
}

/** The page number, from 1, of each link target `s1`, `s2`, … */
function findTargetPages(pdf: Buffer): Map<string, number> {
  const text = asText(pdf)
  const pages = pageObjects(text)
  const targets = [...text.matchAll(/\/(s\d+) \[(\d+) 0 R \/XYZ/g)]
  return new Map(targets.map((match) => [match[1]!, pages.indexOf(match[2]!) + 1]))
}

/** Prints twice: the page numbers of the contents list are known only after a first print. */
async function makeDocument(source: DocumentSource): Promise<Buffer> {
  const html = (pages: Map<string, number>) =>
    documentHtml(source, words[source.language], manualCount, pages)
  const draft = await printer.print(html(new Map()))
  const printed = await printer.print(html(findTargetPages(draft)))
  assertWellMade(printed, `${source.base}-${source.language}`)
  return withStableBytes(printed, source.date, words[source.language].brand)
}

/**
 * Editions that were uploaded in the console replace those made from sources. Deleting them from the list makes them
 * again.
 */
const uploaded = (JSON.parse(readFileSync(join(PDFS, 'documents.json'), 'utf8')) as Listed[]).filter(
  ({ sourceSha256 }) => sourceSha256 === undefined,
)
type Listed = { base: string; language: string; sourceSha256?: string }
const isUploaded = (base: string, language: string) =>
  uploaded.some((each) => each.base === base && each.language === language)

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

mkdirSync(out, { recursive: true })
const list = []
for (const source of sources.filter(({ base, language }) =>
  only ? only.includes(base) : !isUploaded(base, language),
)) {
  const { base, language, title, version, date } = source
  const pdf = await makeDocument(source)
  const file = `${base}-${language}.pdf`
  writeFileSync(join(out, file), pdf)
  list.push({
    file,
    base,
    language,
    title,
    version,
    date,
    pages: countPages(pdf),
    bytes: pdf.length,
    sha256: sha256(pdf),
    sourceSha256: fingerprintOf(source),
  })
  console.log(`${file}: ${list.at(-1)!.pages} pages, ${pdf.length} bytes`)
}
writeFileSync(
  join(out, 'documents.json'),
  JSON.stringify(out === PDFS ? [...uploaded, ...list] : list, null, 2) + '\n',
)
await printer.close()
