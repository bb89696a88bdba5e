import { foldName, type Folded, type Form } from './fold-name.ts'
import { foldSound } from './fold-sound.ts'
import { codesMax, pairsOf } from './letter-pairs.ts'
import type { Person } from './screen.ts'
import { scoreBirth } from './score-birth.ts'
import { scoreNames } from './score-name.ts'
import { namesFor } from './short-names.ts'

export type Listed = { name: string; born: string; list: string }
export type Scored = Listed & { score: number }
export type NameIndex = { search(person: Person): { matches: Scored[]; cleared: number; isPartial: boolean } }

const scoreMin = 70
const matchesMax = 20
/** How many entries are compared letter by letter, the likeliest first. */
const candidatesMax = 200
/** The share of common letter pairs from which an entry is one of them. */
const shareMin = 0.55
const shareOfShorterMin = 0.85
const variantsMax = 6

/**
 * Finds the entries that share letter pairs with a name without looking at the others: for each pair, the entries that hold it. What a
 * search costs grows with the letters of the name, which are limited, and with the number of entries.
 */
export function indexNames(people: readonly Listed[]): NameIndex {
  const folded: Folded[] = []
  const owners: number[] = []
  const sizes: number[] = []
  const holders: number[][] = Array.from({ length: codesMax }, () => [])
  for (const [n, { name }] of people.entries()) {
    const entry = foldName(name)
    folded.push(entry)
    for (const form of entry.forms)
      for (const words of variantsOf(form)) {
        const pairs = pairsOf(words)
        for (const pair of pairs) holders[pair]!.push(owners.length)
        owners.push(n)
        sizes.push(pairs.length)
      }
  }
  const packed = holders.map((each) => Int32Array.from(each))
  const shared = new Uint16Array(owners.length)
  const best = new Float32Array(people.length)

  /** The entries by the largest share of pairs that they have with any form of the name. */
  function findCandidates(forms: readonly Form[]): number[] {
    best.fill(0)
    const found: number[] = []
    for (const words of forms.flatMap(variantsOf)) {
      const pairs = pairsOf(words)
      shared.fill(0)
      for (const pair of pairs) for (const at of packed[pair]!) shared[at]! += 1
      for (let at = 0; at < shared.length; at += 1) {
        if (shared[at] === 0) continue
        const share = (2 * shared[at]!) / (pairs.length + sizes[at]!)
        const isWithin = shared[at]! >= shareOfShorterMin * Math.min(pairs.length, sizes[at]!)
        if (share < shareMin && !isWithin) continue
        const owner = owners[at]!
        // Of a long name every entry may be a part: those that it resembles as a whole go first.
        if (best[owner] === 0) found.push(owner)
        if (best[owner]! < share) best[owner] = share
      }
    }
    return found.sort((a, b) => best[b]! - best[a]!).slice(0, candidatesMax)
  }

  return {
    search({ name, born }) {
      const { forms, isPartial } = foldName(name)
      const alike = findCandidates(forms).flatMap((n) => {
        const score = scoreNames({ forms, isPartial }, folded[n]!)
        return score >= scoreMin ? [{ listed: people[n]!, score }] : []
      })
      const scored = alike.map(({ listed, score }) => ({
        ...listed,
        score: Math.min(100, Math.max(0, score + scoreBirth(born, listed.born))),
      }))
      const matches = scored.filter(({ score }) => score >= scoreMin)
      return {
        matches: matches
          .toSorted((a, b) => b.score - a.score || a.name.localeCompare(b.name))
          .slice(0, matchesMax),
        cleared: scored.length - matches.length,
        isPartial,
      }
    },
  }
}

/** The words by their sound, and with the names that they may be short for. */
function variantsOf({ words }: Form): string[][] {
  let variants: string[][] = [[]]
  for (const word of words) {
    const names = [...new Set([foldSound(word), ...namesFor(word).map(foldSound)])]
    variants =
      variants.length * names.length > variantsMax
        ? variants.map((each) => [...each, names[0]!])
        : variants.flatMap((each) => names.map((name) => [...each, name]))
  }
  return variants
}
