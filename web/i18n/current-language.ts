import type { Language } from '#contract/fields.ts'
import { fill } from './fill.ts'
import type { MessageKey, Messages, ValuesFor } from './message-key.ts'

let spoken: { language: Language; messages: Messages } = { language: 'en', messages: {} }

/** The language currently shown in the browser, for code outside components. Never used on the server. */
export const spokenLanguage = (): Language => spoken.language
export const say = <Key extends MessageKey>(key: Key, ...[values]: ValuesFor<Key>): string =>
  fill(spoken.messages[key] ?? key, spoken.language, values)
export const speak = (language: Language, messages: Messages): void => {
  spoken = { language, messages }
}
