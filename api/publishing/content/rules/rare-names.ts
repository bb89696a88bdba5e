import type { GivenContent } from './read-given.ts'

export type Brand = { name: string; ticker: string }

/** Cached by brand, because the names are fixed at build time and the texts rarely change. */
const known = new Map<string, Brand>()

/**
 * Returns the brand's names, each empty if it is also an ordinary word of the site: a coin may be called Order, or
 * Near.
 */
export function rareNames(given: GivenContent, { name, ticker }: Brand): Brand {
  const key = JSON.stringify([name, ticker])
  const before = known.get(key)
  if (before) return before
  const texts = given
    .names('messages/en')
    .flatMap((file) => Object.values((given.json(`messages/en/${file}`) ?? {}) as Record<string, unknown>))
  const ordinary = new Set(texts.flatMap((text) => String(text).match(/\b[a-z]+\b/g) ?? []))
  const isOrdinary = (words: string) =>
    words
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .every((word) => word.length < 3 || ordinary.has(word))
  const rare = { name: isOrdinary(name) ? '' : name, ticker: isOrdinary(ticker) ? '' : ticker }
  known.set(key, rare)
  return rare
}
