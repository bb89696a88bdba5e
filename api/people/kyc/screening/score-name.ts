import { type Folded, type Form, pairsOf, shareOf, phoneticKey } from './normalize-name.ts'
import { namesFor } from './short-names.ts'

/** Names with the same reading may be written with many different characters. */
const sameSound = 85
const otherSpelling = 4
/** Score of a name that contains all words of the other, and more. */
const containsAll = 90
const initialLike = 0.7
const wordsAlike = 0.8
const partsMax = 30

/** Returns the similarity of two names from 0 to 100, using their most similar forms. */
export function scoreNames(one: Folded, other: Folded): number {
  let best = 0
  for (const form of one.forms)
    for (const against of other.forms) best = Math.max(best, scoreForms(form, against))
  return Math.round(best)
}

function scoreForms(one: Form, other: Form): number {
  if (one.han !== '' && one.han === other.han) return 100
  const score = Math.max(
    100 * shareOf(one.spelt, other.spelt),
    100 * shareOf(one.sound, other.sound) - otherSpelling,
    scoreWords(one.words, other.words),
  )
  if (one.han === '' || other.han === '') return score
  return Math.max((score * sameSound) / 100, 100 * shareOfSigns(one.han, other.han))
}

/** Returns the share of common Han characters. */
function shareOfSigns(one: string, other: string): number {
  const [signs, others] = [new Set(one), new Set(other)]
  const shared = [...signs].filter((sign) => others.has(sign))
  return (2 * shared.length) / (signs.size + others.size)
}

/**
 * Compares each word of the shorter name with the best match in the other, which finds short forms, initials, and
 * omitted words.
 */
function scoreWords(one: readonly string[], other: readonly string[]): number {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 2 || long.length > partsMax) return 0
  const left = [...long]
  let sum = 0
  let hasWord = false
  // Longer words first, so that no initial takes a whole word's match.
  for (const word of short.toSorted((a, b) => b.length - a.length)) {
    const scores = left.map((against) => scoreWord(word, against))
    const best = Math.max(...scores)
    if (best < initialLike) return 0
    sum += best
    hasWord ||= best >= wordsAlike && word.length > 2
    left.splice(scores.indexOf(best), 1)
  }
  const whole = left.length === 0 ? 98 : containsAll
  return hasWord ? (whole * sum) / short.length : 0
}

function scoreWord(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length === 1) return long.startsWith(short) ? initialLike : 0
  const names = namesFor(one)
  if (names.length > 0 && namesFor(other).some((name) => names.includes(name))) return 0.97
  const score = shareOf(pairsOf([phoneticKey(one)]), pairsOf([phoneticKey(other)]))
  return score >= wordsAlike ? score : 0
}

const sameDate = 10
const sameYear = 5
const swapped = 0
const otherDate = -25
const yearBeside = -25
const otherYear = -40

/**
 * Scores a date of birth: a match raises the score, a difference lowers it, an unknown date changes nothing. Lists
 * contain full dates, months, years, or several of them; the best match counts.
 */
export function scoreBirth(born: string, listed: string): number {
  if (born === '') return 0
  const dates = [...listed.matchAll(/(?<!\d)(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)/g)]
  if (dates.length === 0) return 0
  return Math.max(...dates.map(([date]) => scoreDate(born, date)))
}

function scoreDate(born: string, listed: string): number {
  if (born === listed) return sameDate
  if (born.startsWith(`${listed}-`)) return sameYear
  const [year, month, day] = born.split('-')
  if (listed === `${year}-${day}-${month}`) return swapped
  const years = Math.abs(Number(year) - Number(listed.slice(0, 4)))
  return years === 0 ? otherDate : years === 1 ? yearBeside : otherYear
}
