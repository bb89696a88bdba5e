import { createContext, Fragment, useContext, useMemo, type ReactNode } from 'react'
import type { Language } from '#contract/fields.ts'
import {
  fill,
  formatDate,
  formatDateTime,
  formatDay,
  formatMoment,
  formatNumber,
  type AnyValues,
} from './fill.ts'
import type { MessageKey, Messages, ValuesFor } from './message-key.ts'
import { splitTags, type Piece } from './tags.ts'

export type Spoken = {
  language: Language
  messages: Messages
  /** Loads the other language's messages and data, then shows them in place without remounting anything. */
  setLanguage: (language: Language) => Promise<void>
}

const SpokenContext = createContext<Spoken | null>(null)
export const WordsProvider = SpokenContext.Provider

/** The messages as given, for parts that add further ones. */
export function useSpoken(): Spoken {
  const spoken = useContext(SpokenContext)
  if (!spoken) throw new Error('words are used outside their provider')
  return spoken
}

export type UsedWords = {
  t: <Key extends MessageKey>(key: Key, ...values: ValuesFor<Key>) => string
  language: Language
  setLanguage: (language: Language) => Promise<void>
  formatDate: (iso: string) => string
  formatDateTime: (iso: string) => string
  /** The day in the reader's zone. */
  formatDay: (iso: string) => string
  /** With the time zone. */
  formatMoment: (iso: string) => string
  formatNumber: (value: number) => string
}

export function useWords(): UsedWords {
  const { language, messages, setLanguage } = useSpoken()
  return useMemo(
    () => ({
      t: (key, ...[values]) => fill(messages[key] ?? key, language, values),
      language,
      setLanguage,
      formatDate: (iso) => formatDate(iso, language),
      formatDateTime: (iso) => formatDateTime(iso, language),
      formatDay: (iso) => formatDay(iso, language),
      formatMoment: (iso) => formatMoment(iso, language),
      formatNumber: (value) => formatNumber(value, language),
    }),
    [language, messages, setLanguage],
  )
}

type Tags = Readonly<Record<string, (children: ReactNode) => ReactNode>>

type WordsProps<Key extends MessageKey> = { k: Key; tags?: Tags } & (ValuesFor<Key> extends [infer Values]
  ? { values: Values }
  : { values?: undefined })

/** A message with tags, such as `Read the <link>terms</link>.`; each tag's text is passed to its function. */
export function Words<Key extends MessageKey>({ k, values, tags = {} }: WordsProps<Key>): ReactNode {
  const { language, messages } = useSpoken()
  const show = (piece: Piece, index: number): ReactNode => {
    if (typeof piece === 'string') return fill(piece, language, values as AnyValues | undefined)
    const inner = piece.inner.map(show)
    return <Fragment key={index}>{tags[piece.tag]?.(inner) ?? inner}</Fragment>
  }
  return splitTags(messages[k] ?? k).map(show)
}
