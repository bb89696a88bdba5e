import Fuse from 'fuse.js'

/** Returns the items whose text contains all of the words, the best first. Small typing mistakes are tolerated. */
export const matchWords = <Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  words: string,
): Item[] =>
  new Fuse(items, {
    keys: [{ name: 'text', getFn: textOf }],
    threshold: 0.3,
    ignoreLocation: true,
    useTokenSearch: true,
    tokenMatch: 'all',
  })
    .search(words)
    .map(({ item }) => item)

/**
 * Splits words such as `complete ABC-1A2B3` into the action and the record. Returns the words about the record, or
 * undefined if the words don't begin with those of the label.
 */
export function afterLabel(typed: string, label: string): string | undefined {
  const names = label
    .toLowerCase()
    .replace(/[….]+$/u, '')
    .split(/\s+/u)
  const words = typed.trim().split(/\s+/u)
  const count = words.findIndex((word, at) => !names[at]?.startsWith(word.toLowerCase()))
  // Two letters are too few to mean an action, but two Chinese characters are a word.
  const isNamed = count > 0 && !/^[a-z]{1,2}$/i.test(words[0]!)
  return isNamed ? words.slice(count).join(' ') : undefined
}
