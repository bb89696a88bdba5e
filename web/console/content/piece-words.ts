import type { ContentPiece } from '#contract/console-content.ts'
import { isMailPiece } from '#contract/content-mails.ts'
import { pieceNames } from '#contract/content-piece-names.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { UsedWords } from '../../i18n/words.tsx'
import { labelOf } from '../../routes/routes.ts'
import { isOnEveryPage, pagesOf } from './piece-address.ts'

export const pieceGroups = ['words', 'mails', 'facts', 'links', 'legal', 'documents'] as const
export type PieceGroup = (typeof pieceGroups)[number]

export const groupWords: Readonly<Record<PieceGroup, PlainKey>> = {
  words: 'consoleContent.group.words',
  mails: 'consoleContent.group.mails',
  facts: 'consoleContent.group.facts',
  links: 'consoleContent.group.links',
  legal: 'consoleContent.group.legal',
  documents: 'consoleContent.group.documents',
}

const names: Readonly<Record<string, PlainKey>> = pieceNames

const order = Object.keys(names)
const rankOf = (piece: string): number => {
  const at = order.indexOf(piece)
  return at < 0 ? order.length : at
}

export const inOrder = <Piece extends { piece: string }>(pieces: readonly Piece[]): Piece[] =>
  pieces.toSorted((a, b) => rankOf(a.piece) - rankOf(b.piece) || a.piece.localeCompare(b.piece))

export function groupOf({ piece, kind }: Pick<ContentPiece, 'piece' | 'kind'>): PieceGroup {
  if (piece === 'messages/legal' || piece === 'messages/consents') return 'legal'
  if (isMailPiece(piece)) return 'mails'
  if (piece === 'facts/manuals.json' || kind === 'document') return 'documents'
  return kind === 'brand' ? 'links' : kind === 'facts' ? 'facts' : 'words'
}

/** A document or a file that came with a newer release has the name of its file. */
export function pieceName(t: UsedWords['t'], piece: string): string {
  const key = Object.hasOwn(names, piece) ? names[piece] : undefined
  if (key) return t(key)
  const name = piece
    .replace(/^.*\//, '')
    .replace(/\.json$/, '')
    .replaceAll('-', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

export function pagesText(t: UsedWords['t'], piece: string): string {
  if (isOnEveryPage(piece)) return t('consoleContent.everyPage')
  // Pages that no menu shows have no short name.
  const labels = pagesOf(piece)
    .map(labelOf)
    .filter((label) => label.startsWith('layout.'))
  return [...new Set(labels)].map((label) => t(label)).join(t('forms.missing.separator'))
}
