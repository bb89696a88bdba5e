import { createContext, Fragment, useContext, useMemo, type ReactNode } from 'react'
import type { Language } from '#contract/platform/fields.ts'
import {
  addNote,
  interpolate,
  formatDate,
  formatDateTime,
  formatNumber,
  joinNames,
  nameValue,
  type AnyValues,
} from './interpolate.ts'
import type { MessageKey, Messages, ValuesFor } from './message-key.ts'

export type LanguageState = {
  language: Language
  messages: Messages
  /** Loads the messages and data of another language, then switches to them without remounting anything. */
  setLanguage: (language: Language) => Promise<void>
}

const LanguageContext = createContext<LanguageState | null>(null)
export const MessagesProvider = LanguageContext.Provider

/** The current messages, for components that extend them. */
export function useLanguage(): LanguageState {
  const languageState = useContext(LanguageContext)
  if (!languageState) throw new Error('no messages')
  return languageState
}

export type UsedMessages = {
  t: <Key extends MessageKey>(key: Key, ...values: ValuesFor<Key>) => string
  language: Language
  setLanguage: (language: Language) => Promise<void>
  formatDate: (iso: string) => string
  formatDateTime: (iso: string) => string
  formatNumber: (value: number) => string
  joinNames: (names: readonly string[]) => string
  nameValue: (name: string, value: string) => string
  addNote: (text: string, note: string) => string
}

export function useMessages(): UsedMessages {
  const { language, messages, setLanguage } = useLanguage()
  return useMemo(
    () => ({
      t: (key, ...[values]) => interpolate(messages[key] ?? key, language, values),
      language,
      setLanguage,
      formatDate: (iso) => formatDate(iso, language),
      formatDateTime: (iso) => formatDateTime(iso, language),
      formatNumber: (value) => formatNumber(value, language),
      joinNames: (names) => joinNames(names, language),
      nameValue: (name, value) => nameValue(name, value, language),
      addNote: (text, note) => addNote(text, note, language),
    }),
    [language, messages, setLanguage],
  )
}

/** The space between two sentences, which Chinese does not have. */
export const SentenceSpace = (): ReactNode => (useLanguage().language === 'cn' ? null : ' ')

type Tags = Readonly<Record<string, (children: ReactNode) => ReactNode>>

type FormattedMessageProps<Key extends MessageKey> = { k: Key; tags?: Tags } & (ValuesFor<Key> extends [
  infer Values,
]
  ? { values: Values }
  : { values?: undefined })

/** A message with tags, such as `Read the <link>terms</link>.` Each tag's text is passed to its function. */
export function FormattedMessage<Key extends MessageKey>({
  k,
  values,
  tags = {},
}: FormattedMessageProps<Key>): ReactNode {
  const { language, messages } = useLanguage()
  const show = (piece: Piece, index: number): ReactNode => {
    if (typeof piece === 'string') return interpolate(piece, language, values as AnyValues | undefined)
    const inner = piece.inner.map(show)
    return <Fragment key={index}>{tags[piece.tag]?.(inner) ?? inner}</Fragment>
  }
  return splitTags(messages[k] ?? k).map(show)
}

type Piece = string | { tag: string; inner: Piece[] }

/** Splits `a <link>b</link> c` at its tags. Tags without a counterpart are treated as text. */
function splitTags(message: string): Piece[] {
  const pieces: Piece[] = []
  let rest = message
  for (;;) {
    const found = /<(\w+)>(.*?)<\/\1>/s.exec(rest)
    if (!found) break
    if (found.index > 0) pieces.push(rest.slice(0, found.index))
    pieces.push({ tag: found[1] ?? '', inner: splitTags(found[2] ?? '') })
    rest = rest.slice(found.index + found[0].length)
  }
  return rest ? [...pieces, rest] : pieces
}
