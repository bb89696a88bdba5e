import type { Language } from '#contract/fields.ts'
import { fill } from './fill.ts'
import type { MessageKey, Messages, ValuesFor } from './message-key.ts'

let spoken: { language: Language; messages: Messages } = { language: 'en', messages: {} }

/** What the browser shows at this moment, for the parts that are no component. The server never uses it. */
export const spokenLanguage = (): Language => spoken.language
export const say = <Key extends MessageKey>(key: Key, ...[values]: ValuesFor<Key>): string =>
  fill(spoken.messages[key] ?? key, spoken.language, values)
export const speak = (language: Language, messages: Messages): void => {
  spoken = { language, messages }
}
