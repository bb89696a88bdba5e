import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import brand from '#content/brand.json' with { type: 'json' }
import type { DocumentLanguage, DocumentSource } from './document-source.ts'

/**
 * The text around the body: headers and footers, labels of callouts, the closing lines. It comes from `words.json` next
 * to the sources; the brand's name comes from `brand.json`.
 */
export type DocumentWords = {
  brand: string
  site: string
  contents: string
  note: string
  warning: string
  /** With the placeholders `{number}` and `{count}`. */
  manual: string
  /** With the placeholders `{version}` and `{month}` (spelled out, with its year) or `{y}` and `{m}` (digits). */
  edition: string
  closing: string
}

export function readWords(folder: string): Record<DocumentLanguage, DocumentWords> {
  const words = JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8'))
  return { en: { ...words.en, brand: brand.name }, cn: { ...words.cn, brand: brand.name } }
}

/** HTML language tags; the PDF carries the same. */
export const HTML_LANGUAGE: Record<DocumentLanguage, string> = { en: 'en', cn: 'zh-Hans' }

export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

/** "Version 1.0 · November 2026" in the document's language. */
export function editionLine(source: DocumentSource, words: DocumentWords): string {
  const format = new Intl.DateTimeFormat(HTML_LANGUAGE[source.language], {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  const [y = '', m = ''] = source.date.split('-')
  const month = format.format(new Date(`${source.date}-01T00:00:00Z`))
  return fill(words.edition, { version: source.version, month, y, m: Number(m) })
}
