import { isEmailItem } from '#contract/publishing/content-emails.ts'
import { isAlwaysComplete, languages, type Language } from '#contract/platform/languages.ts'
import { isRecord } from '../../../platform/is-record.ts'
import {
  inKnownLanguages,
  type ItemValue,
  changesAsWhole,
  kindOf,
  type Parts,
  optionalParts,
} from './content-item.ts'

/** The place of values that change as a whole. */
export const WHOLE = ''

/** Splits `en.home.title` into the language and the key. */
function readPlace(place: string): { language: string; key: string } {
  const at = place.indexOf('.')
  return at < 0 ? { language: place, key: '' } : { language: place.slice(0, at), key: place.slice(at + 1) }
}

/** Whether a draft of this piece can have the place, given the published content. */
export function hasPlace(piece: string, published: ItemValue, place: string): boolean {
  if (changesAsWhole(piece)) return place === WHOLE
  const { language, key } = readPlace(place)
  if (!(languages as readonly string[]).includes(language)) return false
  if (kindOf(piece) === 'document') return key === ''
  if (isEmailItem(piece) && !isAlwaysComplete(language as Language)) return false
  // A further language may lack what English has.
  const texts = (published as Record<string, unknown>)['en']
  return isRecord(texts) && Object.hasOwn(texts, key)
}

export function valueAt(piece: string, value: ItemValue, place: string): unknown {
  if (changesAsWhole(piece)) return value
  const { language, key } = readPlace(place)
  const part = (value as Parts)[language]
  return kindOf(piece) === 'document' ? part : part?.[key]
}

const withoutKey = (texts: Parts[string], key: string) =>
  Object.fromEntries(Object.entries(texts ?? {}).filter(([name]) => name !== key))

/** Draft value for a removal: of a PDF, or of a text in an optional language. */
export const NOTHING = Symbol('nothing')

/** The published content with the changes applied. Null removes a part. */
export function withDraft(
  piece: string,
  published: ItemValue,
  entries: readonly { place: string; value: unknown }[],
): ItemValue {
  if (entries.length === 0) return published
  const kind = kindOf(piece)
  if (kind === 'facts') return inKnownLanguages(entries[0]!.value)
  // A part unknown to this release stays as published.
  if (kind === 'brand') {
    const value = inKnownLanguages(entries[0]!.value)
    if (!isRecord(published) || !isRecord(value)) return value
    const kept = Object.entries(published).filter(([part]) => !optionalParts.includes(part))
    return { ...Object.fromEntries(kept), ...value }
  }
  const parts = { ...(published as Parts) }
  for (const { place, value } of entries) {
    if (!hasPlace(piece, published, place)) continue
    const { language, key } = readPlace(place)
    if (kind === 'document') parts[language] = value as Parts[string]
    else if (value !== null) parts[language] = { ...parts[language], [key]: value }
    else parts[language] = withoutKey(parts[language], key)
  }
  return parts
}
