import { confusables } from './confusables.ts'

/** Small letters that Unicode does not list, because only the capitals have one shape, and that are used all the same. */
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

/** Letters that others are read for, in the order in which they are replaced. */
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

/** In Latin letters, as somebody reads it who does not look twice: without accents, in small letters. */
export function inLatin(text: string): string {
  let latin = ''
  // A capital may look like another letter than the small one does.
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

/** What looks alike has the same skeleton (UTS 39, section 4), digits for letters included. */
export function skeletonOf(text: string): string {
  let seen = inLatin(text)
  for (const [from, to] of pairs) seen = seen.replaceAll(from, to)
  return seen.replaceAll(/[0-9i|!$]/g, (sign) => digits[sign] ?? sign)
}

/** Whether two texts differ by at most so many letters that were added, left out, replaced, or swapped with the next. */
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
