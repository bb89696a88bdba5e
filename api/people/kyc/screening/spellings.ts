import { normalizeName, type Form, phoneticKey } from './normalize-name.ts'
import { namesFor } from './short-names.ts'

const spellingsMax = 60

/**
 * Returns normalized spellings of a name. Two names of the same person in another order, script, or spelling share at
 * least one; unlike a comparison, this also works with hashes. One spelling sorts the words; others join them, starting
 * from each word, so that spaces don't matter.
 */
export function spellingsOf(name: string): string[] {
  const found = new Set<string>([inAnyOrder(plainWords(name))])
  for (const form of normalizeName(name).forms) {
    if (form.han !== '') found.add(form.han)
    for (const words of [form.words.map(phoneticKey), ...variantsOf(form)]) {
      found.add(inAnyOrder(words))
      for (const at of words.keys()) found.add([...words.slice(at), ...words.slice(0, at)].join(''))
    }
  }
  found.delete('')
  return [...found].slice(0, spellingsMax)
}

const inAnyOrder = (words: readonly string[]): string => words.toSorted().join(' ')

/** Letters and digits without accents. Fingerprints of unreadable older applications contain only these. */
const plainWords = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

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
