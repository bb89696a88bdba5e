import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { DocumentEntry } from '#contract/publishing/console-content-files.ts'
import type { ContentItemKind } from '#contract/publishing/console-content.ts'
import { isEmailItem, mailGroupOf, mailGroups } from '#contract/publishing/content-emails.ts'
import { isAlwaysComplete, languages, type Language } from '#contract/platform/languages.ts'
import type { FlatSettings } from '#contract/people/settings.ts'
import { contentFolder } from '../../../platform/site-content/content-folder.ts'
import { isOfStaff } from '../../../platform/site-content/further-language.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { textsOfMails } from '../../../platform/mail/mail-texts.ts'
import { factSchemas } from '../rules/fact-schemas.ts'
import { documentsList, readGiven, type GivenContent } from '../rules/read-given.ts'

export type Messages = Record<Language, Record<string, string>>
export type Documents = Record<Language, DocumentEntry | null>
/** Value of one item: `Messages`, `Documents`, a list of facts, or the brand's parts. Drafts may hold any JSON. */
export type ItemValue = {} | null | undefined
/** `Messages` or `Documents` that are not checked yet. */
export type Parts = Readonly<Record<string, Readonly<Record<string, unknown>> | null | undefined>>

let files: GivenContent | undefined

/** The files of this release, read once. Their rules were checked at build time. */
export const baseFiles = (): GivenContent => (files ??= readGiven(contentFolder).given)

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
  'display-rates',
  'sale',
]

/**
 * The editable parts of `brand.json`. The name and build parameters are fixed, and versions are managed
 * separately.
 */
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

/** Parts that a project may lack: a draft without one of them removes it. */
export const optionalParts: readonly string[] = ['phone']

export function kindOf(piece: string): ContentItemKind {
  if (piece === 'brand.json') return 'brand'
  const [folder] = piece.split('/')
  if (folder === 'messages' || folder === 'mails') return 'messages'
  return folder === 'facts' ? 'facts' : 'document'
}

/** Whether a draft replaces the whole value, because it can't be split by language. */
export const changesAsWhole = (piece: string): boolean => ['facts', 'brand'].includes(kindOf(piece))

export const inEachLanguage = <Part>(partOf: (language: Language) => Part): Record<Language, Part> =>
  Object.fromEntries(languages.map((language) => [language, partOf(language)])) as Record<Language, Part>

/** The items that these files make. Documents may be added. */
export function itemsOf(files: GivenContent): string[] {
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

/** The value of an item in the files. */
export function fileValueOf(files: GivenContent, piece: string): ItemValue {
  const kind = kindOf(piece)
  if (kind === 'facts') return files.json(piece)
  if (kind === 'brand') return partsOf(files.json('brand.json'))
  const name = piece.slice(piece.indexOf('/') + 1)
  if (kind === 'document') {
    const editions = listedDocuments(files).filter(({ base }) => base === name)
    return inEachLanguage((language) => editions.find((each) => each.language === language) ?? null)
  }
  return inEachLanguage((language) =>
    isEmailItem(piece)
      ? emailTextsOf(files, language, name)
      : (files.json(`messages/${language}/${name}.json`) ?? {}),
  )
}

/** An email is only usable as a whole, so emails of further languages are edited in the files. */
function emailTextsOf(files: GivenContent, language: Language, group: string): Record<string, string> {
  const emails = files.json(`emails/${language}.json`)
  if (!isAlwaysComplete(language) || !isRecord(emails)) return {}
  const texts = Object.entries(textsOfMails(emails))
  return Object.fromEntries(texts.filter(([key]) => mailGroupOf(key) === group))
}

const partsOf = (brand: unknown): Record<string, unknown> =>
  Object.fromEntries(
    brandParts.flatMap((part) => (isRecord(brand) && brand[part] !== undefined ? [[part, brand[part]]] : [])),
  )

/**
 * The file's value with the published override applied. Texts that the program no longer knows are left out.
 */
export function laidOver(piece: string, file: ItemValue, override: unknown): ItemValue {
  if (override === null || override === undefined) return file
  const kind = kindOf(piece)
  if (kind === 'facts') return override
  const [below, above] = [file as Parts, override as Parts]
  const merged = { ...below, ...above }
  if (kind === 'document') return merged
  if (kind === 'brand') return Object.fromEntries(Object.entries(merged).filter(([, part]) => part !== null))
  return inEachLanguage((language) => ({
    ...below[language],
    ...Object.fromEntries(knownTexts(below, above[language])),
  }))
}

/** Texts with a key that English has, which is complete. */
const knownTexts = (file: Parts, texts: Parts[string]): [key: string, text: unknown][] =>
  Object.entries(texts ?? {}).filter(([key]) => Object.hasOwn(file['en'] ?? {}, key))

/** The override that turns the file's value into this one; null if none is needed. */
export function overrideFor(piece: string, file: ItemValue, value: ItemValue): unknown {
  if (isDeepStrictEqual(file, value)) return null
  const kind = kindOf(piece)
  if (kind === 'facts') return value
  // A part of the file that was removed is null.
  if (kind === 'brand')
    return { ...Object.fromEntries(Object.keys(file ?? {}).map((part) => [part, null])), ...value }
  const [below, above] = [file as Parts, value as Parts]
  const changed = languages.flatMap((language): [string, unknown][] => {
    const [was, now] = [below[language] ?? null, above[language] ?? null]
    // An edition of the files that was withdrawn is null.
    if (kind === 'document') return isDeepStrictEqual(was, now) ? [] : [[language, now]]
    const differing = knownTexts(below, now).filter(([key, text]) => was?.[key] !== text)
    return differing.length > 0 ? [[language, Object.fromEntries(differing)]] : []
  })
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

/** Normalized by the schema: trimmed, and in the order of its parts. Undefined if it is invalid. */
export function tidied(piece: string, value: ItemValue): ItemValue {
  const kind = kindOf(piece)
  if (kind === 'facts') {
    const schema: z.ZodType = factSchemas[piece as keyof typeof factSchemas]
    return schema.safeParse(value).data
  }
  if (kind === 'brand') return partsOf(value)
  if (kind === 'document') return value
  return inEachLanguage((language) => {
    const texts = Object.entries((value as Messages)[language])
    return Object.fromEntries(texts.map(([key, text]) => [key, text.trim()]))
  })
}

/** Each text and number by its place; entries of lists by their IDs. */
export function flatten(value: ItemValue, path = ''): FlatSettings {
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

/** The item that contains a place of a file. */
export function itemOfFile(file: string, place: string): string {
  if (file === documentsList) return `documents/${place.split('.')[0]}`
  if (file.startsWith('emails/')) return `mails/${mailGroupOf(place)}`
  return file.replace(/^messages\/[a-z]+\/(.*)\.json$/, 'messages/$1')
}

/**
 * Removes texts in a language that the site no longer has: the rules would refuse the whole list for it. Such a
 * language is identified by its code, and by having the same shape as the English text next to it.
 */
export function inKnownLanguages(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKnownLanguages)
  if (!isRecord(value)) return value
  const hasLanguages = 'en' in value && 'cn' in value
  const kept = Object.entries(value).filter(
    ([key, part]) => !hasLanguages || !isFormerLanguage(key) || shapeOf(part) !== shapeOf(value['en']),
  )
  return Object.fromEntries(kept.map(([key, part]) => [key, inKnownLanguages(part)]))
}

const isFormerLanguage = (key: string): boolean =>
  /^[a-z]{2,3}$/.test(key) && !(languages as readonly string[]).includes(key)

const shapeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)
