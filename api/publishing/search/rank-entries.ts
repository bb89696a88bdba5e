import type { Passage } from '#contract/publishing/search.ts'
import { gramsOf, searchFor } from '../announcements/search-text.ts'
import type { Entry } from './list-entries.ts'

/** The score of a word by where it is found. Titles count more than text, and whole words more than parts of words. */
const worth = { title: { whole: 12, part: 8 }, text: { whole: 3, part: 2 } }
/** The bonus if a title is exactly the query. */
const worthOfTitle = 20
/** The score of a word that the database found in a part of a post that isn't read here. */
const worthUnread = 1

type Word = { whole: RegExp; part: RegExp }

const letter = String.raw`[\p{L}\p{N}\p{M}]`
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`
const startsUnspaced = new RegExp(`^${unspaced}`, 'u')

/**
 * Follows the same rules as the news search: words of one or two letters match only the start of a word. Words consist of
 * letters and digits, so they need no escaping in a pattern.
 */
function patternsOf(word: string): { whole: string; part: string } {
  if (startsUnspaced.test(word)) return { whole: word, part: word }
  const start = `(?<!${letter})${word}`
  return { whole: `${start}(?!${letter})`, part: [...word].length < 3 ? start : word }
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

const wordOf = (word: string): Word => {
  const { whole, part } = patternsOf(word)
  return { whole: new RegExp(whole, 'u'), part: new RegExp(part, 'u') }
}

function worthIn({ whole, part }: Word, title: string, text: string): number {
  if (whole.test(title)) return worth.title.whole
  if (part.test(title)) return worth.title.part
  if (whole.test(text)) return worth.text.whole
  return part.test(text) ? worth.text.part : 0
}

export type Ranked = { entry: Entry; score: number }

/** Returns the entries that contain all words, each with its score. */
export function findAll(entries: readonly Entry[], query: string): Ranked[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return scored(entries, words, query).flatMap(({ entry, values, bonus }) =>
    values.every((value) => value > 0) ? [{ entry, score: sum(values) + bonus }] : [],
  )
}

/**
 * Returns the entries that contain some of the words. Rare words count more, so that an entry with only “how” and “the”
 * comes last. A Chinese query has no spaces, so any two adjacent characters of it count as a word.
 */
export function findSome(entries: readonly Entry[], query: string): Ranked[] {
  const words = wordsOfSome(query)
  const found = scored(entries, words, query)
  const frequency = words.map((_, at) => found.filter(({ values }) => values[at]! > 0).length)
  const rarity = frequency.map((count) => Math.log((entries.length + 1) / (count + 1)))
  return found
    .map(({ entry, values }) => ({ entry, score: sum(values.map((value, at) => value * rarity[at]!)) }))
    .filter(({ score }) => score > 0)
}

/** Scores posts, which the database has found. */
export const scorePosts = (posts: readonly Entry[], query: string): Ranked[] =>
  scored(posts, wordsOf(query), query).map(({ entry, values, bonus }) => ({
    entry,
    score: sum(values.map((value) => value || worthUnread)) + bonus,
  }))

/** Sorts by score, highest first. Among equal scores, pages come first, and then the newest posts. */
export const byScore = (a: Ranked, b: Ranked): number =>
  b.score - a.score || dateOf(b).localeCompare(dateOf(a))

const dateOf = ({ entry }: Ranked): string => entry.postedDate ?? '9999'

const wordsOf = (query: string): string[] => searchFor(query)?.words ?? []

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function scored(entries: readonly Entry[], words: readonly string[], query: string) {
  const patterns = words.map(wordOf)
  const whole = fold(query).trim()
  return entries.map((entry) => {
    const title = fold(entry.title)
    // The page's name counts as text, so that “project wallet” finds the wallet section of the project page.
    const text = fold(`${entry.page ?? ''} ${entry.text}`)
    return {
      entry,
      values: patterns.map((word) => worthIn(word, title, text)),
      bonus: title === whole ? worthOfTitle : 0,
    }
  })
}

const splitUnspaced = (word: string): string[] =>
  startsUnspaced.test(word) && [...word].length > 2
    ? gramsOf(word).filter((gram) => [...gram].length === 2)
    : [word]

/** The words that count if only some must match. Words of one or two letters are too common. */
const wordsOfSome = (query: string): string[] =>
  wordsOf(query)
    .flatMap(splitUnspaced)
    .filter((word) => startsUnspaced.test(word) || [...word].length > 2)

/** Splits a text at the words of the query. Without a match, the text is one part. */
export function markWords(text: string, query: string, isPartial: boolean): Passage {
  const words = isPartial ? wordsOfSome(query) : wordsOf(query)
  if (text === '') return []
  const pattern = words.map((word) => patternsOf(word).part).join('|')
  if (pattern === '') return [{ text, isHit: false }]
  return text
    .split(new RegExp(`(${pattern})`, 'giu'))
    .map((part, at) => ({ text: part, isHit: at % 2 === 1 }))
    .filter((part) => part.text !== '')
}

const passageLength = 200
/** Number of characters shown before the first match. */
const leadLength = 60

/** Returns the part of a text around the first match. */
export function passageOf(text: string, query: string, isPartial: boolean): string {
  const [first] = markWords(text, query, isPartial)
  const at = first && !first.isHit && first.text.length < text.length ? first.text.length : 0
  const isHan = startsUnspaced.test(text)
  const length = isHan ? passageLength / 2 : passageLength
  const from = at > leadLength ? startOfWord(text, at - leadLength, at) : 0
  const to = from + length < text.length ? endOfWord(text, from + length, at) : text.length
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`.toWellFormed()
}

/** Moves to the next start of a word, but not beyond `max`. */
function startOfWord(text: string, from: number, max: number): number {
  const space = text.indexOf(' ', from)
  return space >= 0 && space < max ? space + 1 : from
}

/** Moves back to the last end of a word, but not before `min`. */
function endOfWord(text: string, to: number, min: number): number {
  const space = text.lastIndexOf(' ', to)
  return space > min ? space : to
}
