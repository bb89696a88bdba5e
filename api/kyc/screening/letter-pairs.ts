const letters = ' abcdefghijklmnopqrstuvwxyz0123456789'
/** Further repetitions of a pair carry no information. */
const timesMax = 4

export const codesMax = letters.length ** 2 * timesMax

/**
 * Returns the letter pairs within words and the first letter of each, so that neither the order of words nor most
 * spaces matter. Each pair is a number, in ascending order; repetitions of a pair get different numbers.
 */
export function pairsOf(words: readonly string[]): Uint16Array {
  const times = new Uint8Array(letters.length ** 2)
  const codes: number[] = []
  const add = (one: number, two: number) => {
    const pair = one * letters.length + two
    if (times[pair] === timesMax) return
    codes.push(pair * timesMax + times[pair]!)
    times[pair]! += 1
  }
  for (const word of words) {
    let before = 0
    for (const letter of word) {
      const code = letters.indexOf(letter)
      add(before, code)
      before = code
    }
  }
  return Uint16Array.from(codes).sort()
}

/** Returns the share of common pairs, from 0 to 1 (Dice’s coefficient). */
export function shareOf(one: Uint16Array, other: Uint16Array): number {
  let shared = 0
  for (let a = 0, b = 0; a < one.length && b < other.length;) {
    const difference = one[a]! - other[b]!
    if (difference === 0) shared += 1
    if (difference <= 0) a += 1
    if (difference >= 0) b += 1
  }
  return (2 * shared) / Math.max(1, one.length + other.length)
}
