import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { DocumentEntry } from '#contract/console-content-files.ts'
import type { PieceKind } from '#contract/console-content.ts'
import { isMailPiece, mailGroupOf, mailGroups } from '#contract/content-mails.ts'
import { isAlwaysComplete, languages, type Language } from '#contract/languages.ts'
import type { FlatSettings } from '#contract/settings.ts'
import { isOfStaff } from '../../further-language.ts'
import { isRecord } from '../../is-record.ts'
import { textsOfMails } from '../../mail/mail-texts.ts'
import { factSchemas } from '../rules/fact-schemas.ts'
import type { GivenContent } from '../rules/given-content.ts'
import { documentsList } from '../rules/read-given.ts'

export type Messages = Record<Language, Record<string, string>>
export type Documents = Record<Language, DocumentEntry | null>
/** Of one piece: `Messages`, `Documents`, a list of facts, or the brand's parts. Drafts may hold any JSON. */
export type PieceValue = {} | null | undefined

const editedFacts = [
  'roadmap',
  'team',
  'ambassadors',
  'partners',
  'comparison',
  'coin-facts',
  'features',
  'faq',
  'technical-help',
  'manuals',
  'synergy',
  'white-paper',
]

/** What of `brand.json` an editor changes. The name and what a build is made with stay, and versions have their own way. */
export const brandParts = [
  'tagline',
  'legalLine',
  'email',
  'phone',
  'address',
  'links',
  'social',
  'documents',
] as const

/** Of these, what a project may have none of: a draft without it takes it away. */
export const partsToLeaveOut: readonly string[] = ['phone']

export function kindOf(piece: string): PieceKind {
  if (piece === 'brand.json') return 'brand'
  const [folder] = piece.split('/')
  if (folder === 'messages' || folder === 'mails') return 'messages'
  return folder === 'facts' ? 'facts' : 'document'
}

/** The pieces that these files make. Documents may be added. */
export function piecesOf(files: GivenContent): string[] {
  const messages = files.names('messages/en').map((name) => name.replace(/\.json$/, ''))
  return [
    ...messages.filter((name) => !isOfStaff(name)).map((name) => `messages/${name}`),
    ...mailGroups.map((group) => `mails/${group}`),
    ...editedFacts.map((name) => `facts/${name}.json`),
    'brand.json',
    ...new Set(listedDocuments(files).map(({ base }) => `documents/${base}`)),
  ]
}

export const listedDocuments = (files: GivenContent): DocumentEntry[] =>
  (files.json(documentsList) ?? []) as DocumentEntry[]

/** What the files say of a piece. */
export function fileValueOf(files: GivenContent, piece: string): PieceValue {
  const kind = kindOf(piece)
  if (kind === 'facts') return files.json(piece)
  if (kind === 'brand') return partsOf(files.json('brand.json'))
  if (kind === 'document') {
    const base = piece.slice('documents/'.length)
    const of = (language: Language) =>
      listedDocuments(files).find((each) => each.base === base && each.language === language) ?? null
    return Object.fromEntries(languages.map((language) => [language, of(language)]))
  }
  const name = piece.slice(piece.indexOf('/') + 1)
  return Object.fromEntries(
    languages.map((language) => [
      language,
      isMailPiece(piece)
        ? mailTextsOf(files, language, name)
        : (files.json(`messages/${language}/${name}.json`) ?? {}),
    ]),
  )
}

/** Of a further language a mail is worth something as a whole only: its mails are changed in the files. */
function mailTextsOf(files: GivenContent, language: Language, group: string): Record<string, string> {
  const mails = files.json(`emails/${language}.json`)
  if (!isAlwaysComplete(language) || !isRecord(mails)) return {}
  const texts = Object.entries(textsOfMails(mails))
  return Object.fromEntries(texts.filter(([key]) => mailGroupOf(key) === group))
}

const partsOf = (brand: unknown): Record<string, unknown> =>
  Object.fromEntries(
    brandParts.flatMap((part) => (isRecord(brand) && brand[part] !== undefined ? [[part, brand[part]]] : [])),
  )

/** The value with what was published over it. A text that the program does not know any more is left out. */
export function laidOver(piece: string, file: PieceValue, override: unknown): PieceValue {
  if (override === null || override === undefined) return file
  if (kindOf(piece) === 'facts') return override
  const [under, over] = [file as Record<string, unknown>, override as Record<string, unknown>]
  if (kindOf(piece) === 'brand')
    return Object.fromEntries(Object.entries({ ...under, ...over }).filter(([, part]) => part !== null))
  if (kindOf(piece) !== 'messages') return { ...under, ...over }
  const merged = languages.map((language) => {
    const changed = isRecord(over[language]) ? over[language] : {}
    // A further language may lack what English has.
    const known = Object.entries(changed).filter(([key]) => Object.hasOwn(under['en'] as object, key))
    return [language, { ...(under[language] as object), ...Object.fromEntries(known) }]
  })
  return Object.fromEntries(merged)
}

/** What has to lie over the file for it to be this value; null where nothing has to. */
export function overrideFor(piece: string, file: PieceValue, value: PieceValue): unknown {
  if (isDeepStrictEqual(file, value)) return null
  const kind = kindOf(piece)
  if (kind === 'facts') return value
  // Null where a part of the file is taken away.
  if (kind === 'brand')
    return { ...Object.fromEntries(Object.keys(file ?? {}).map((part) => [part, null])), ...value }
  const [under, over] = [file as Record<string, object | null>, value as Record<string, object | null>]
  const changed = languages.flatMap((language) => {
    // Null where an edition of the files is taken back.
    if (kind === 'document')
      return isDeepStrictEqual(under[language] ?? null, over[language] ?? null)
        ? []
        : [[language, over[language] ?? null] as const]
    const texts = (under[language] ?? {}) as Record<string, string>
    const differing = Object.entries((over[language] ?? {}) as Record<string, string>).filter(
      ([key, text]) => Object.hasOwn(under['en'] ?? {}, key) && texts[key] !== text,
    )
    return differing.length > 0 ? [[language, Object.fromEntries(differing)] as const] : []
  })
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

/** As a schema writes it: trimmed, and in the order of its parts. Undefined where it breaks the schema. */
export function tidied(piece: string, value: PieceValue): PieceValue {
  if (kindOf(piece) === 'facts') {
    const schema: z.ZodType = factSchemas[piece as keyof typeof factSchemas]
    return schema.safeParse(value).data
  }
  if (kindOf(piece) === 'brand') return partsOf(value)
  if (kindOf(piece) === 'document') return value
  return Object.fromEntries(
    languages.map((language) => [
      language,
      Object.fromEntries(
        Object.entries((value as Messages)[language]).map(([key, text]) => [key, text.trim()]),
      ),
    ]),
  )
}

/** Each text and number by its place, entries of lists by their ids. */
export function flatten(value: PieceValue, path = ''): FlatSettings {
  const flat: Record<string, string> = {}
  const under = (step: string) => (path === '' ? step : `${path}.${step}`)
  if (Array.isArray(value)) {
    const ids = value.map((entry: unknown, at) =>
      isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'] : String(at),
    )
    if (value.some(isRecord)) flat[under('(order)')] = ids.join(' ')
    for (const [at, entry] of value.entries()) Object.assign(flat, flatten(entry, under(ids[at]!)))
  } else if (isRecord(value))
    for (const [key, part] of Object.entries(value)) Object.assign(flat, flatten(part, under(key)))
  else if (value !== null && value !== undefined)
    flat[path] = typeof value === 'string' ? value : JSON.stringify(value)
  return flat
}

/** The piece that a file belongs to. */
export function pieceOfFile(file: string, place: string): string {
  if (file === documentsList) return `documents/${place.split('.')[0]}`
  if (file.startsWith('emails/')) return `mails/${mailGroupOf(place)}`
  return file.replace(/^messages\/[a-z]+\/(.*)\.json$/, 'messages/$1')
}
