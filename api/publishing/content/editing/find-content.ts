import brand from '#content/brand.json' with { type: 'json' }
import type { api } from '#contract/api.ts'
import { contentHitsMax, type ContentHit } from '#contract/publishing/content-shapes.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { contactLink } from '../../../platform/site-links.ts'
import { baseFiles, flatten, itemsOf, type ItemValue, kindOf } from './content-item.ts'
import { listDrafts } from './draft.queries.ts'
import { withDraft } from './draft.ts'
import { readPublished } from './content-item.queries.ts'
import { publishedValue } from './site-state.ts'

/** Places whose value readers don't see as a text. */
const isHidden = (place: string): boolean => /(^|\.)(\(order\)|id)$/.test(place)

export const findContent: Handler<typeof api.findContent> = async ({ query }, { db, config }) => {
  const filled = { brand: brand.name, ticker: brand.ticker, contact: contactLink(config) }
  const wanted = asSeen(query.q, filled)
  const files = baseFiles()
  const [drafts, published] = [await listDrafts(db), await readPublished(db)]
  const hits: (ContentHit & { fit: number })[] = []
  for (const piece of itemsOf(files)) {
    const entries = drafts.filter((each) => each.piece === piece)
    const value = withDraft(piece, publishedValue(files, published, piece), entries)
    for (const [place, text] of textsOf(piece, value)) {
      const fit = isHidden(place) ? undefined : fitOf(asSeen(text, filled), wanted)
      if (fit !== undefined) hits.push({ piece, place, language: languageOf(place), text, fit })
    }
  }
  return hits
    .toSorted((a, b) => a.fit - b.fit || a.text.length - b.text.length)
    .slice(0, contentHitsMax)
    .map(({ piece, place, language, text }) => ({ piece, place, language, text }))
}

const textsOf = (piece: string, value: ItemValue): [place: string, text: string][] => {
  if (kindOf(piece) !== 'messages') return Object.entries(flatten(value))
  // Their keys contain dots, but are not paths.
  return languages.flatMap((language) =>
    Object.entries((value as Record<Language, Record<string, string>>)[language]).map(
      ([key, text]): [string, string] => [`${language}.${key}`, text],
    ),
  )
}

const languageOf = (place: string): Language | null =>
  place.split('.').find((step): step is Language => (languages as readonly string[]).includes(step)) ?? null

/** Values that pages show in place of `{brand}` and other placeholders. */
export type Filled = Readonly<Record<string, string>>

/**
 * Text as a reader sees and would type it: without tags, interpolated, with normalized case, quotes, and
 * spaces.
 */
export const asSeen = (text: string, filled: Filled = {}): string =>
  text
    .replaceAll(/<\/?\w+>/g, '')
    .replaceAll(/\{(\w+)\}/g, (whole, name: string) => filled[name] ?? whole)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** A shorter text occurs in most sentences. */
const textLengthMin = 8

/**
 * How well a text matches the search, both as `asSeen`: lower is better, undefined is no match. A sentence
 * copied from a page contains values in place of placeholders.
 */
export function fitOf(text: string, wanted: string): number | undefined {
  if (text === wanted) return 0
  if (text.startsWith(wanted)) return 1
  if (text.includes(wanted)) return 2
  if (text.length >= textLengthMin && holdsInOrder(wanted, text)) return 3
  return undefined
}

function holdsInOrder(wanted: string, text: string): boolean {
  const parts = text.split(/\{\w+\}/).map((part) => part.trim())
  if (parts.join('').length < textLengthMin) return false
  let from = 0
  for (const part of parts) {
    const at = wanted.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}
