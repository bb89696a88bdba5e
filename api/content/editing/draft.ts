import { isMailPiece } from '#contract/content-mails.ts'
import { isAlwaysComplete, languages, type Language } from '#contract/languages.ts'
import { isRecord } from '../../is-record.ts'
import { inKnownLanguages } from './in-known-languages.ts'
import { kindOf, partsToLeaveOut, type PieceValue } from './piece.ts'

/** The place of what is changed whole. */
export const WHOLE = ''

/** Splits `en.home.title` into the language and the key. */
export function readPlace(place: string): { language: string; key: string } {
  const at = place.indexOf('.')
  return at < 0 ? { language: place, key: '' } : { language: place.slice(0, at), key: place.slice(at + 1) }
}

/** Whether a draft of this piece can have the place, given what is published. */
export function hasPlace(piece: string, published: PieceValue, place: string): boolean {
  const kind = kindOf(piece)
  if (kind === 'facts' || kind === 'brand') return place === WHOLE
  const { language, key } = readPlace(place)
  if (!(languages as readonly string[]).includes(language)) return false
  if (kind === 'document') return key === ''
  if (isMailPiece(piece) && !isAlwaysComplete(language as Language)) return false
  // A further language may lack what English has.
  const texts = (published as Record<string, unknown>)['en']
  return isRecord(texts) && Object.hasOwn(texts, key)
}

export function valueAt(piece: string, value: PieceValue, place: string): unknown {
  const kind = kindOf(piece)
  if (kind === 'facts' || kind === 'brand') return value
  const { language, key } = readPlace(place)
  const part = (value as Record<string, Record<string, unknown> | null>)[language]
  return kind === 'document' ? part : part?.[key]
}

const withoutKey = (texts: Record<string, unknown> | null | undefined, key: string) =>
  Object.fromEntries(Object.entries(texts ?? {}).filter(([name]) => name !== key))

/** A value of a draft: nothing is to be there any more, an edition of a document or a text of a language with gaps. */
export const NOTHING = Symbol('nothing')

/** What is published with what was changed laid over it. Null takes something away. */
export function withDraft(
  piece: string,
  published: PieceValue,
  entries: readonly { place: string; value: unknown }[],
): PieceValue {
  if (entries.length === 0) return published
  const kind = kindOf(piece)
  if (kind === 'facts') return inKnownLanguages(entries[0]!.value)
  // A part that the program does not know any more, or did not know yet, is as published.
  if (kind === 'brand') {
    const value = inKnownLanguages(entries[0]!.value)
    if (!isRecord(published) || !isRecord(value)) return value
    const kept = Object.entries(published).filter(([part]) => !partsToLeaveOut.includes(part))
    return { ...Object.fromEntries(kept), ...value }
  }
  const parts = { ...(published as Record<string, Record<string, unknown> | null>) }
  for (const { place, value } of entries) {
    if (!hasPlace(piece, published, place)) continue
    const { language, key } = readPlace(place)
    if (kind === 'document') parts[language] = value as Record<string, unknown> | null
    else if (value !== null) parts[language] = { ...parts[language], [key]: value }
    else parts[language] = withoutKey(parts[language], key)
  }
  return parts
}
