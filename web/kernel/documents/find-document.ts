import type { Language } from '#contract/platform/fields.ts'
import type { FactFiles } from '../content/facts.ts'

/** A PDF of this site. `language` is the one it is written in. */
export type DocumentFile = {
  title: string
  address: string
  language: Language
  pages: number
  bytes: number
  version: string
  /** Year and month, such as 2026-11. */
  date: string
  sha256: string
}

/**
 * Finds the document in the reader's language, otherwise in English. `base` is the first part of the file name. Null if
 * the project has no such document, or no file of it.
 */
export function findDocument(
  documents: FactFiles['documents'],
  base: string | undefined,
  language: Language,
): DocumentFile | null {
  const versions = documents.filter((each) => each.base === base)
  const found =
    versions.find((each) => each.language === language) ?? versions.find((each) => each.language === 'en')
  if (!found) return null
  const { title, file, pages, bytes, version, date, sha256 } = found
  return {
    title,
    address: `/assets/pdfs/${file}`,
    language: found.language,
    pages,
    bytes,
    version,
    date,
    sha256,
  }
}
