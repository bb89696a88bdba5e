/** Letters and digits in lower case, without accents, the words sorted so that their order does not matter. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .toSorted()

const pairsOf = (text: string): string[] => {
  const letters = [...` ${text} `]
  return letters.slice(1).map((letter, index) => letters[index]! + letter)
}

/** The similarity of two names from 0 to 100: the share of common letter pairs (Dice's coefficient). */
export function scoreName(one: string, other: string): number {
  const [a, b] = [pairsOf(wordsOf(one).join(' ')), pairsOf(wordsOf(other).join(' '))]
  if (wordsOf(one).length === 0 || wordsOf(other).length === 0) return 0
  const left = [...b]
  let shared = 0
  for (const pair of a) {
    const at = left.indexOf(pair)
    if (at === -1) continue
    left.splice(at, 1)
    shared += 1
  }
  return Math.round((200 * shared) / (a.length + b.length))
}

const sameDate = 10
const otherDate = -25
const otherYear = -40

/** A matching date of birth raises the score, a different one lowers it, an unknown one changes nothing. */
export function scorePerson(
  one: { name: string; born?: string | undefined },
  other: { name: string; born: string },
): number {
  const score = scoreName(one.name, other.name)
  if (!one.born || !other.born) return score
  const change =
    one.born === other.born
      ? sameDate
      : one.born.slice(0, 4) === other.born.slice(0, 4)
        ? otherDate
        : otherYear
  return Math.min(100, Math.max(0, score + change))
}
