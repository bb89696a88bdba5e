import brand from '#content/brand.json' with { type: 'json' }
import type { api } from '#contract/api.ts'
import { contentHitsMax, type ContentHit, type ContentShape } from '#contract/content-shapes.ts'
import { languages, type Language } from '#contract/languages.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { factSchemas } from '../rules/fact-schemas.ts'
import { baseFiles } from './base-files.ts'
import { listDrafts } from './draft.queries.ts'
import { withDraft } from './draft.ts'
import { asSeen, fitOf } from './find-words.ts'
import { brandParts, flatten, kindOf, piecesOf, type PieceValue } from './piece.ts'
import { readPublished } from './piece.queries.ts'
import { shapeOf } from './shape-of.ts'
import { publishedValue } from './site-state.ts'

export const getContentShape: Handler<typeof api.getContentShape> = async ({ query: { piece } }) => {
  const kind = kindOf(piece)
  const isForm = (kind === 'facts' || kind === 'brand') && piecesOf(baseFiles()).includes(piece)
  if (!isForm) throw new Refused('not_found')
  const shape = shapeOf(factSchemas[piece as keyof typeof factSchemas])
  return { shape: kind === 'brand' ? brandShape(shape) : shape }
}

/** The parts of the brand that an editor changes. */
const brandShape = (shape: ContentShape): ContentShape =>
  shape.kind === 'object'
    ? {
        kind: 'object',
        fields: shape.fields.filter(({ name }) => (brandParts as readonly string[]).includes(name)),
      }
    : shape

/** What no reader sees as a text. */
const isInner = (place: string): boolean => /(^|\.)(\(order\)|id)$/.test(place)

export const findContent: Handler<typeof api.findContent> = async ({ query }, { db, content }) => {
  const filled = { brand: brand.name, ticker: brand.ticker, contact: content.brand().email }
  const wanted = asSeen(query.q, filled)
  const files = baseFiles()
  const [drafts, published] = [await listDrafts(db), await readPublished(db)]
  const hits: (ContentHit & { fit: number })[] = []
  for (const piece of piecesOf(files)) {
    const entries = drafts.filter((each) => each.piece === piece)
    const value = withDraft(piece, publishedValue(files, published, piece), entries)
    for (const [place, text] of textsOf(piece, value)) {
      const fit = isInner(place) ? undefined : fitOf(asSeen(text, filled), wanted)
      if (fit !== undefined) hits.push({ piece, place, language: languageOf(place), text, fit })
    }
  }
  return hits
    .toSorted((a, b) => a.fit - b.fit || a.text.length - b.text.length)
    .slice(0, contentHitsMax)
    .map(({ piece, place, language, text }) => ({ piece, place, language, text }))
}

const textsOf = (piece: string, value: PieceValue): [place: string, text: string][] => {
  if (kindOf(piece) !== 'messages') return Object.entries(flatten(value))
  // Keys have dots themselves; they are no paths.
  return languages.flatMap((language) =>
    Object.entries((value as Record<Language, Record<string, string>>)[language]).map(
      ([key, text]): [string, string] => [`${language}.${key}`, text],
    ),
  )
}

const languageOf = (place: string): Language | null =>
  place.split('.').find((step): step is Language => (languages as readonly string[]).includes(step)) ?? null
