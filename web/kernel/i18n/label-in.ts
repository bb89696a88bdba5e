import type { PlainKey } from './message-key.ts'
import type { UsedMessages } from './messages.tsx'

/** The groups of labels for names in data, such as the fields of content. */
type Group = 'consoleContent.choice' | 'consoleContent.field' | 'official.name'

/** The keys of a group that have no further part. */
type KeyIn<Key extends PlainKey> = Key extends `${Group}.${infer Name}`
  ? Name extends `${string}.${string}`
    ? never
    : Key
  : never

/** Returns the label of a name in data; undefined if it has none. */
export function labelIn(t: UsedMessages['t'], group: Group, name: string): string | undefined {
  if (!/^\w+$/.test(name)) return undefined
  const key: KeyIn<PlainKey> = `${group}.${name}` as KeyIn<PlainKey>
  const label = t(key)
  return label === key ? undefined : label
}
