import type { SensitiveKind } from '#contract/console-content.ts'
import type { SettingChange } from '#contract/settings.ts'
import { isMailPiece } from '#contract/content-mails.ts'
import { kindOf } from './piece.ts'

const legalPieces = [
  'messages/legal',
  'messages/consents',
  // What the law has everybody told before they buy, and their right to withdraw from it.
  'messages/white-paper',
  'messages/withdrawals',
  'facts/white-paper.json',
]
/** What one agrees to by going on, wherever it stands. */
export const legalTexts = [
  'login.signup.terms',
  'orders.quote.terms',
  'kyc.privacy',
  'ambassador.form.privacy',
]
const followedParts = /^(email|phone|address|links|social|documents)(\.|$)/

/**
 * Where a reader may go, write to or pay: a name with a dot in it, as addresses of the web and of mail have, the number of a
 * host, or what looks like an address of a chain. It asks for a second person once too often rather than once too seldom.
 */
const followed = [
  /(?<!\.)\.(\p{L}{2,}|\{)/u,
  /(?<!\d)\d{1,3}(\.\d{1,3}){3}(?!\d)/,
  // An address of mail, or somebody's name in a network.
  /[^\s@]@|@[^\s@]|:\/\//,
  // The dot of Chinese, which browsers take for one of an address, also ends every sentence.
  /[a-z\d-]。[\p{L}\d]|[\p{L}\d]。([a-z]{2,}|\p{Script=Han}{2,5}(?=\/|:\d|$))/iu,
  /(?<![a-z\d])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{26,}/i,
]

/**
 * As a reader sees it, and as browsers take it: without what nobody sees, without the tags of a page, in plain letters and
 * with the dots that an address may have.
 */
const asRead = (text: string): string =>
  text
    .replaceAll(/<\/?\w+>/g, '')
    .normalize('NFKD')
    .replaceAll(/[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')

const isFollowed = (text: string | null): boolean => {
  if (text === null) return false
  const read = asRead(text)
  return followed.some((pattern) => pattern.test(read))
}

/** What a change of a piece touches that may take a second person. */
export function sensitiveIn(piece: string, changes: readonly SettingChange[]): SensitiveKind[] {
  if (changes.length === 0) return []
  const kinds = new Set<SensitiveKind>()
  if (legalPieces.includes(piece)) kinds.add('legal')
  if (kindOf(piece) === 'document') kinds.add('links')
  // What comes from us into everybody’s mailbox is believed.
  if (isMailPiece(piece)) kinds.add('links')
  for (const { path, from, to } of changes) {
    if (piece === 'brand.json' && path.startsWith('legalLine')) kinds.add('legal')
    if (kindOf(piece) === 'messages' && legalTexts.includes(path.replace(/^[a-z]+\./, ''))) kinds.add('legal')
    if (piece === 'brand.json' && followedParts.test(path)) kinds.add('links')
    if (/(^|\.)(fileTitle|hasChinese)$/.test(path)) kinds.add('links')
    if (isFollowed(from) || isFollowed(to)) kinds.add('links')
  }
  return [...kinds].toSorted()
}
