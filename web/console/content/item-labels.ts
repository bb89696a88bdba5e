import type { ContentItem } from '#contract/publishing/console-content.ts'
import { isEmailItem } from '#contract/publishing/content-emails.ts'
import { contentItemNames } from '#contract/publishing/content-item-names.ts'
import type { Language } from '#contract/platform/languages.ts'
import { documentsFile } from '#contract/publishing/public-content.ts'
import type { Facts } from '../../kernel/content/facts.ts'
import { loadedFacts } from '../../kernel/content/known-content.ts'
import { loadFacts } from '../../kernel/content/load-facts.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { labelOf } from '../../kernel/routes/routes.ts'
import { isOnEveryPage, pagesOf } from './item-address.ts'

export const itemGroups = ['words', 'mails', 'facts', 'links', 'legal', 'documents'] as const
type ItemGroup = (typeof itemGroups)[number]

const names: Readonly<Record<string, PlainKey>> = contentItemNames

const order = Object.keys(names)
const rankOf = (piece: string): number => {
  const at = order.indexOf(piece)
  return at < 0 ? order.length : at
}

export const inOrder = <Piece extends { piece: string }>(pieces: readonly Piece[]): Piece[] =>
  pieces.toSorted((a, b) => rankOf(a.piece) - rankOf(b.piece) || a.piece.localeCompare(b.piece))

export function groupOf({ piece, kind }: Pick<ContentItem, 'piece' | 'kind'>): ItemGroup {
  if (piece === 'messages/legal' || piece === 'messages/consents') return 'legal'
  if (isEmailItem(piece)) return 'mails'
  if (piece === 'facts/manuals.json' || kind === 'document') return 'documents'
  return kind === 'brand' ? 'links' : kind === 'facts' ? 'facts' : 'words'
}

/** Loads the titles of documents, which are content, for components that show item names. */
export const loadItemNames = () => loadFacts(documentsFile)

/**
 * Returns the name of an item. A document has the title that visitors see; an unpublished document or another new file
 * has its file name.
 */
export function itemName(piece: string, language: Language, textOf: (key: PlainKey) => string): string {
  const key = Object.hasOwn(names, piece) ? names[piece] : undefined
  if (key) return textOf(key)
  const name = piece.replace(/^.*\//, '').replace(/\.json$/, '')
  const documents = (loadedFacts.get(documentsFile) ?? []) as Facts<typeof documentsFile>['documents']
  const editions = documents.filter(({ base }) => `documents/${base}` === piece)
  const title = (editions.find((each) => each.language === language) ?? editions[0])?.title
  return title ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
}

export function useItemName(): (piece: string) => string {
  const { t, language } = useMessages()
  return (piece) => itemName(piece, language, t)
}

export function pagesText(t: UsedMessages['t'], piece: string): string {
  if (isOnEveryPage(piece)) return t('consoleContent.everyPage')
  // Pages that are in no menu have no short name.
  const labels = pagesOf(piece)
    .map(labelOf)
    .filter((label) => label.startsWith('layout.'))
  return [...new Set(labels)].map((label) => t(label)).join(t('forms.missing.separator'))
}
