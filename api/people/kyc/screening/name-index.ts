import { normalizeName, type Folded, type Form, codesMax, pairsOf } from './normalize-name.ts'
import { variantsOf } from './spellings.ts'
import type { Person } from './screen.ts'
import { scoreBirth, scoreNames } from './score-name.ts'

export type Listed = { name: string; born: string; list: string }
type Scored = Listed & { score: number; isBornOtherwise: boolean }
export type NameIndex = { search(person: Person): { matches: Scored[]; isPartial: boolean } }

const scoreMin = 70
const matchesMax = 20
/** How many entries are compared letter by letter, likeliest first. */
const candidatesMax = 200
/** Minimum share of common letter pairs for an entry to be compared. */
const shareMin = 0.55
const shareOfShorterMin = 0.85

/** Normalizes names, and lists the variants that contain each letter pair. Variants are numbered across all people. */
function indexPairs(people: readonly Listed[]) {
  const folded: Folded[] = []
  /** The person and the number of pairs of each variant. */
  const owners: number[] = []
  const sizes: number[] = []
  const holders: number[][] = Array.from({ length: codesMax }, () => [])
  for (const [n, { name }] of people.entries()) {
    const entry = normalizeName(name)
    folded.push(entry)
    for (const form of entry.forms)
      for (const words of variantsOf(form)) {
        const pairs = pairsOf(words)
        for (const pair of pairs) holders[pair]!.push(owners.length)
        owners.push(n)
        sizes.push(pairs.length)
      }
  }
  return { folded, owners, sizes, holders: holders.map((each) => Int32Array.from(each)) }
}

/**
 * Finds the entries that share letter pairs with a name, without scanning the others: an index maps each pair to its
 * entries. The cost of a search grows with the length of the name, which is limited, and with the number of entries.
 */
export function indexNames(people: readonly Listed[]): NameIndex {
  const { folded, owners, sizes, holders } = indexPairs(people)
  const shared = new Uint16Array(owners.length)
  const best = new Float32Array(people.length)

  /** Returns the entries with the largest share of pairs in common with any form of the name. */
  function findCandidates(forms: readonly Form[]): number[] {
    best.fill(0)
    const found: number[] = []
    for (const words of forms.flatMap(variantsOf)) {
      const pairs = pairsOf(words)
      shared.fill(0)
      for (const pair of pairs) for (const at of holders[pair]!) shared[at]! += 1
      for (let at = 0; at < shared.length; at += 1) {
        if (shared[at] === 0) continue
        const share = (2 * shared[at]!) / (pairs.length + sizes[at]!)
        const isWithin = shared[at]! >= shareOfShorterMin * Math.min(pairs.length, sizes[at]!)
        if (share < shareMin && !isWithin) continue
        const owner = owners[at]!
        // Any entry may be part of a long name, so entries that resemble it as a whole come first.
        if (best[owner] === 0) found.push(owner)
        if (best[owner]! < share) best[owner] = share
      }
    }
    return found.sort((a, b) => best[b]! - best[a]!).slice(0, candidatesMax)
  }

  return {
    search({ name, born }) {
      const { forms, isPartial } = normalizeName(name)
      const alike = findCandidates(forms).flatMap((n) => {
        const score = scoreNames({ forms, isPartial }, folded[n]!)
        return score >= scoreMin ? [{ listed: people[n]!, score }] : []
      })
      // Listed people can state a false date of birth, so a different one only lowers the rank.
      const matches = alike.map(({ listed, score }) => {
        const byBirth = scoreBirth(born, listed.born)
        return { ...listed, score: Math.min(100, Math.max(0, score + byBirth)), isBornOtherwise: byBirth < 0 }
      })
      return {
        matches: matches
          .toSorted((a, b) => b.score - a.score || a.name.localeCompare(b.name))
          .slice(0, matchesMax),
        isPartial,
      }
    },
  }
}
