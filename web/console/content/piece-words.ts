import type { ContentPiece } from '#contract/console-content.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { UsedWords } from '../../i18n/words.tsx'
import { labelOf } from '../../routes/routes.ts'
import { isOnEveryPage, pagesOf } from './piece-address.ts'

export const pieceGroups = ['words', 'facts', 'links', 'legal', 'documents'] as const
export type PieceGroup = (typeof pieceGroups)[number]

export const groupWords: Readonly<Record<PieceGroup, PlainKey>> = {
  words: 'consoleContent.group.words',
  facts: 'consoleContent.group.facts',
  links: 'consoleContent.group.links',
  legal: 'consoleContent.group.legal',
  documents: 'consoleContent.group.documents',
}

/** In the order in which they are listed. */
const names: Readonly<Record<string, PlainKey>> = {
  'messages/home': 'consoleContent.piece.home',
  'messages/project': 'consoleContent.piece.project',
  'messages/help': 'consoleContent.piece.help',
  'messages/ambassador': 'consoleContent.piece.ambassador',
  'messages/news': 'consoleContent.piece.news',
  'messages/layout': 'consoleContent.piece.layout',
  'messages/meta': 'consoleContent.piece.meta',
  'messages/documents': 'consoleContent.piece.documents',
  'messages/video': 'consoleContent.piece.video',
  'messages/login': 'consoleContent.piece.login',
  'messages/account': 'consoleContent.piece.account',
  'messages/security': 'consoleContent.piece.security',
  'messages/step-up': 'consoleContent.piece.stepUp',
  'messages/session': 'consoleContent.piece.session',
  'messages/lost-factors': 'consoleContent.piece.lostFactors',
  'messages/orders': 'consoleContent.piece.orders',
  'messages/kyc': 'consoleContent.piece.kyc',
  'messages/ambassador-account': 'consoleContent.piece.ambassadorAccount',
  'messages/ambassador-badge': 'consoleContent.piece.ambassadorBadge',
  'messages/signatures': 'consoleContent.piece.signatures',
  'messages/preview': 'consoleContent.piece.preview',
  'messages/placeholder': 'consoleContent.piece.placeholder',
  'messages/forms': 'consoleContent.piece.forms',
  'messages/errors': 'consoleContent.piece.errors',
  'facts/partners.json': 'consoleContent.piece.partners',
  'facts/coin-facts.json': 'consoleContent.piece.coinFacts',
  'facts/features.json': 'consoleContent.piece.features',
  'facts/comparison.json': 'consoleContent.piece.comparison',
  'facts/roadmap.json': 'consoleContent.piece.roadmap',
  'facts/team.json': 'consoleContent.piece.team',
  'facts/ambassadors.json': 'consoleContent.piece.ambassadors',
  'facts/synergy.json': 'consoleContent.piece.synergy',
  'facts/faq.json': 'consoleContent.piece.faq',
  'facts/technical-help.json': 'consoleContent.piece.technicalHelp',
  'brand.json': 'consoleContent.piece.brand',
  'messages/legal': 'consoleContent.piece.legal',
  'messages/consents': 'consoleContent.piece.consents',
  'facts/manuals.json': 'consoleContent.piece.manuals',
  'documents/white-paper': 'consoleContent.field.whitePaper',
  'documents/brochure': 'consoleContent.field.brochure',
  'documents/ambassador-e-book': 'consoleContent.field.ambassadorEbook',
}

const order = Object.keys(names)
const rankOf = (piece: string): number => {
  const at = order.indexOf(piece)
  return at < 0 ? order.length : at
}

export const inOrder = <Piece extends { piece: string }>(pieces: readonly Piece[]): Piece[] =>
  pieces.toSorted((a, b) => rankOf(a.piece) - rankOf(b.piece) || a.piece.localeCompare(b.piece))

export function groupOf({ piece, kind }: Pick<ContentPiece, 'piece' | 'kind'>): PieceGroup {
  if (piece === 'messages/legal' || piece === 'messages/consents') return 'legal'
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
