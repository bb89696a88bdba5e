import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import colours from '#content/colours.json' with { type: 'json' }

const DOCUMENT_LANGUAGES = ['en', 'cn'] as const
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number]

/**
 * The kind determines the cover and the layout: a brochure, paper, or book starts with a cover page, a manual with a
 * band.
 */
const DOCUMENT_KINDS = ['brochure', 'paper', 'book', 'manual'] as const
type DocumentKind = (typeof DOCUMENT_KINDS)[number]

export type DocumentSource = {
  /** File name without language and extension, such as `white-paper`. */
  base: string
  language: DocumentLanguage
  kind: DocumentKind
  title: string
  subtitle: string
  version: string
  /** Year and month, `2026-11`. */
  date: string
  /** Number of a manual in its series; null for the other kinds. */
  number: number | null
  /** The body, without the front matter. */
  markdown: string
  /** The whole text of the file. */
  text: string
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/

/**
 * Parses `key: value` lines between two `---` lines. Every field except `number` is required, and unknown fields are
 * rejected.
 */
function parseDocument(text: string, base: string, language: DocumentLanguage): DocumentSource {
  const match = FRONT_MATTER.exec(text)
  if (!match) throw new Error(`${language}/${base}.md has no front matter`)
  const fields = new Map(
    match[1]!.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const
    }),
  )
  const take = (name: string, pattern: RegExp): string => {
    const value = fields.get(name) ?? ''
    if (!pattern.test(value)) throw new Error(`${language}/${base}.md: "${name}" is missing or malformed`)
    fields.delete(name)
    return value
  }
  if (take('language', /^(en|cn)$/) !== language)
    throw new Error(`${language}/${base}.md is in the wrong folder`)
  const kind = take('kind', new RegExp(`^(${DOCUMENT_KINDS.join('|')})$`)) as DocumentKind
  const source: DocumentSource = {
    base,
    language,
    kind,
    title: take('title', /./),
    subtitle: take('subtitle', /./),
    version: take('version', /^\d+(\.\d+)+$/),
    date: take('date', /^\d{4}-(0[1-9]|1[0-2])$/),
    number: kind === 'manual' ? Number(take('number', /^\d+$/)) : null,
    markdown: text.slice(match[0].length),
    text,
  }
  const [unknown] = fields.keys()
  if (unknown !== undefined) throw new Error(`${language}/${base}.md: unknown field "${unknown}"`)
  return source
}

/** Lists every `<folder>/<language>/<base>.md`, English first, sorted by name. */
export function listDocuments(folder: string): DocumentSource[] {
  return DOCUMENT_LANGUAGES.flatMap((language) =>
    readdirSync(join(folder, language))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) =>
        parseDocument(readFileSync(join(folder, language, name), 'utf8'), name.slice(0, -3), language),
      ),
  )
}

/** Identifies the source of a PDF: its text and the brand colors. */
export const fingerprintOf = ({ text }: DocumentSource): string =>
  createHash('sha256').update(text).update(JSON.stringify(colours)).digest('hex')
