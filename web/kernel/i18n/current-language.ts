import type { Language } from '#contract/platform/fields.ts'
import { interpolate } from './interpolate.ts'
import type { MessageKey, Messages, ValuesFor } from './message-key.ts'

let current: { language: Language; messages: Messages } = { language: 'en', messages: {} }

/** The language currently shown in the browser, for code outside components. Never used on the server. */
export const currentLanguage = (): Language => current.language
export const say = <Key extends MessageKey>(key: Key, ...[values]: ValuesFor<Key>): string =>
  interpolate(current.messages[key] ?? key, current.language, values)
export const speak = (language: Language, messages: Messages): void => {
  current = { language, messages }
}
