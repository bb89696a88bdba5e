import type { Form } from './normalize-name.ts'
import { phoneticKey } from './phonetic-key.ts'
import { namesFor } from './short-names.ts'

const variantsMax = 6

/** Returns the words by their sound, including the names that they may be short for. */
export function variantsOf({ words }: Form): string[][] {
  let variants: string[][] = [[]]
  for (const word of words) {
    const names = [...new Set([phoneticKey(word), ...namesFor(word).map(phoneticKey)])]
    variants =
      variants.length * names.length > variantsMax
        ? variants.map((each) => [...each, names[0]!])
        : variants.flatMap((each) => names.map((name) => [...each, name]))
  }
  return variants
}
