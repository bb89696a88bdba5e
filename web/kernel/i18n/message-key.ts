import type { MessageFiles, Placeholders } from './placeholders.ts'

/** The message files; a page lists those it needs in `web/kernel/routes/`. */
export type Namespace = keyof MessageFiles

/** Every key of the English files, so that an unknown key causes a type error. */
export type MessageKey = { [N in Namespace]: keyof MessageFiles[N] & string }[Namespace]

/** The placeholders of a message; for a union of keys, those of any of them. */
type PlaceholderOf<Key extends MessageKey> = Key extends keyof Placeholders ? Placeholders[Key] : never

export type Values<Key extends MessageKey> = Readonly<Record<PlaceholderOf<Key>, string | number>>

/** The last argument of functions that format a message; none if the message has no placeholder. */
export type ValuesFor<Key extends MessageKey> = [PlaceholderOf<Key>] extends [never]
  ? []
  : [values: Values<Key>]

/** The keys of messages that need no values other than these, for places that show one of several messages. */
export type KeyTaking<Placeholder extends string> = {
  [Key in MessageKey]: PlaceholderOf<Key> extends Placeholder ? Key : never
}[MessageKey]

/** The keys of messages that need no values. */
export type PlainKey = KeyTaking<never>

export type Messages = Readonly<Record<string, string>>
