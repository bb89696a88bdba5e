import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import manuals from '#content/facts/manuals.json'
import documents from '#content/media/pdfs/documents.json'
import { fingerprintOf, listDocuments } from '../../scripts/make-documents/document-source.ts'

const content = fileURLToPath(new URL('../../content', import.meta.url))
const pdfs = join(content, 'media/pdfs')
/** A document from the console has no source and replaces the generated one. */
type Listed = Omit<(typeof documents)[number], 'sourceSha256'> & { sourceSha256?: string }
const listed: readonly Listed[] = documents
const uploaded = new Set(listed.flatMap(({ file, sourceSha256 }) => (sourceSha256 ? [] : [file])))
const sources = listDocuments(join(content, 'documents')).filter(
  ({ base, language }) => !uploaded.has(`${base}-${language}.pdf`),
)

/** They are committed, and every clone contains all versions. */
const ALL_DOCUMENTS_BYTES_MAX = 6_000_000

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

test('documents.json lists exactly the PDFs that are there', () => {
  const there = readdirSync(pdfs).filter((name) => name.endsWith('.pdf'))
  expect(listed.map(({ file }) => file).sort()).toEqual(there.sort())
})

test('every source has its PDF, and every PDF its source', () => {
  const made = listed
    .filter(({ file }) => !uploaded.has(file))
    .map(({ base, language, file }) => ({ base, language, file }))
  const written = sources.map(({ base, language }) => ({ base, language, file: `${base}-${language}.pdf` }))
  expect(made).toEqual(written)
})

test('together the PDFs stay small enough to be committed', () => {
  const bytes = listed.reduce((sum, document) => sum + document.bytes, 0)
  expect(bytes).toBeLessThan(ALL_DOCUMENTS_BYTES_MAX)
})

test('the manuals are numbered from 1 without a gap', () => {
  const numbers = sources
    .filter(({ kind, language }) => kind === 'manual' && language === 'en')
    .map(({ number }) => number)
  expect(numbers.sort((one, other) => Number(one) - Number(other))).toEqual(
    Array.from({ length: manuals.length }, (_, at) => at + 1),
  )
})

describe.each(sources)('$base in $language', (source) => {
  const { base, language, title, version, date, number } = source
  const entry = listed.find((document) => document.base === base && document.language === language)
  const pdf = readFileSync(join(pdfs, `${base}-${language}.pdf`))

  test('the list names its true size and sum', () => {
    expect(entry).toMatchObject({ bytes: pdf.length, sha256: sha256(pdf) })
  })

  test('the PDF was made from the source and the colours as they stand (else: npm run make:documents)', () => {
    expect(entry).toMatchObject({ title, version, date, sourceSha256: fingerprintOf(source) })
  })

  test('it is a tagged PDF that says its language', () => {
    const plain = pdf.toString('latin1')
    expect(plain.startsWith('%PDF-')).toBe(true)
    expect(plain).toMatch(/\/MarkInfo <<[^>]*\/Marked true/)
    expect(plain).toContain('/StructTreeRoot')
    expect(plain).toContain(language === 'cn' ? '/Lang (zh-Hans)' : '/Lang (en)')
    expect(plain).toContain('/Outlines')
  })

  test('version, date and number are those of the English edition', () => {
    const english = sources.find((other) => other.base === base && other.language === 'en')
    expect(english).toMatchObject({ version, date, number })
  })
})
