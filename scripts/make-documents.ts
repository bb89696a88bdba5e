import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentHtml } from './make-documents/document-html.ts'
import { fingerprintOf, listDocuments, type DocumentSource } from './make-documents/document-source.ts'
import { readWords } from './make-documents/document-words.ts'
import { openPrinter } from './make-documents/print-pdf.ts'
import { assertWellMade, countPages, findTargetPages, withStableBytes } from './make-documents/stable-pdf.ts'

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
const printer = await openPrinter()

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
