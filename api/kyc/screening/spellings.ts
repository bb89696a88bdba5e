import { foldName } from './normalize-name.ts'
import { foldSound } from './phonetic-key.ts'
import { variantsOf } from './name-variants.ts'

const spellingsMax = 60

/**
 * A name as short texts of which two names have one in common where they are the same person's in another order, script or spelling.
 * Unlike a comparison, that can be asked of hashes. Words in any order are one text; so that spaces do not matter, the words run
 * together are others, once from each word on.
 */
export function spellingsOf(name: string): string[] {
  const found = new Set<string>([inAnyOrder(plainWords(name))])
  for (const form of foldName(name).forms) {
    if (form.han !== '') found.add(form.han)
    for (const words of [form.words.map(foldSound), ...variantsOf(form)]) {
      found.add(inAnyOrder(words))
      for (const at of words.keys()) found.add([...words.slice(at), ...words.slice(0, at)].join(''))
    }
  }
  found.delete('')
  return [...found].slice(0, spellingsMax)
}

const inAnyOrder = (words: readonly string[]): string => words.toSorted().join(' ')

/** Letters and digits without accents. Fingerprints of applications that can no longer be read were made of these alone. */
const plainWords = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
