import type { Language } from '#contract/fields.ts'
import type { FactFiles } from '../content/facts.ts'

/** A PDF of this site. `language` is the one it is written in. */
export type DocumentFile = {
  address: string
  language: Language
  pages: number
  bytes: number
  version: string
  /** Year and month, such as 2026-11. */
  date: string
  sha256: string
}

/** The document in the reader's language, else in English. `base` is the title part of the file name. */
export function findDocument(
  documents: FactFiles['documents'],
  base: string,
  language: Language,
): DocumentFile {
  const versions = documents.filter((each) => each.base === base)
  const found =
    versions.find((each) => each.language === language) ?? versions.find((each) => each.language === 'en')
  if (!found) throw new Error(`content has no document ${base}`)
  const { file, pages, bytes, version, date, sha256 } = found
  return {
    address: `/assets/pdfs/${file}`,
    language: found.language as Language,
    pages,
    bytes,
    version,
    date,
    sha256,
  }
}
