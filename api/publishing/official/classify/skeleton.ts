import { confusables } from './confusables.ts'

/** Lowercase letters that Unicode doesn't list, because only the capitals look alike, but that attackers use anyway. */
const besides: Readonly<Record<string, string>> = {
  b: 'вβƀ',
  d: 'đ',
  e: 'єε',
  f: 'ƒ',
  h: 'нħ',
  k: 'кκĸ',
  l: 'ł',
  m: 'м',
  n: 'пηŋ',
  o: 'øѳ',
  r: 'я',
  t: 'тτŧ',
  u: 'цμ',
  v: 'ν',
  w: 'шщωψ',
  x: 'ж',
  y: 'ч',
}

const letters = new Map(
  [...Object.entries(confusables), ...Object.entries(besides)].flatMap(([looks, all]) =>
    [...all].map((letter) => [letter, looks] as const),
  ),
)

/** Letter groups that are read as others, in the order of replacement. */
const pairs: readonly (readonly [from: string, to: string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
]
const digits: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '|': 'l',
  '!': 'l',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
}

/** Converts text to the Latin letters that a quick reader would see: without accents, in lower case. */
export function inLatin(text: string): string {
  let latin = ''
  // A capital may resemble a different letter than its lowercase form.
  for (const letter of text.normalize('NFC')) {
    const known = letters.get(letter) ?? letters.get(letter.toLowerCase())
    latin += known ?? bare(letter)
  }
  return latin
}

function bare(letter: string): string {
  const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return letters.get(plain) ?? plain
}

/**
 * Returns the skeleton: texts that look alike have the same one (UTS 39, section 4), with digits replaced by letters.
 */
export function skeletonOf(text: string): string {
  let seen = inLatin(text)
  for (const [from, to] of pairs) seen = seen.replaceAll(from, to)
  return seen.replaceAll(/[0-9i|!$]/g, (sign) => digits[sign] ?? sign)
}

/** Whether two texts differ by at most `max` letters that were added, removed, replaced, or swapped with the next. */
export function isNear(one: string, other: string, max: number): boolean {
  if (Math.abs(one.length - other.length) > max) return false
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      next[at] = Math.min(
        last[at]! + 1,
        next[at - 1]! + 1,
        last[at - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[at - 2]! + 1 : Infinity,
      )
    }
    if (Math.min(...next) > max) return false
    before = last
    last = next
  }
  return last[other.length]! <= max
}
