import type { SensitiveKind } from '#contract/console-content.ts'
import type { SettingChange } from '#contract/settings.ts'
import { isMailPiece } from '#contract/content-mails.ts'
import { kindOf } from './piece.ts'

const legalPieces = ['messages/legal', 'messages/consents']
const followedParts = /^(email|phone|address|links|social|documents)(\.|$)/
/**
 * Where a reader may go, write to or pay: a name with a dot in it, as addresses of the web and of mail have, or what looks like
 * an address of a chain. It asks for a second person once too often rather than once too seldom.
 */
const followed =
  /[\p{L}\d-]\.\p{L}{2,}|[^\s@]@[^\s@]|:\/\/|(?<![\p{L}\d])(?=[a-z\d]*\d)(?=[a-z\d]*[a-z])[a-z\d]{26,}(?![\p{L}\d])/iu

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
    if (piece === 'brand.json' && followedParts.test(path)) kinds.add('links')
    if (/(^|\.)fileTitle$/.test(path)) kinds.add('links')
    if (followed.test(from ?? '') || followed.test(to ?? '')) kinds.add('links')
  }
  return [...kinds].toSorted()
}
