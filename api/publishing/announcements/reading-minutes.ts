import { textOfHtml } from './search-text.ts'

const wordsPerMinute = 220
/** Chinese characters. */
const charactersPerMinute = 400

const characters = /\p{Script=Han}/gu
const words = /[[\p{L}\p{N}\p{M}]--\p{Script=Han}]+(?:['’\-][[\p{L}\p{N}\p{M}]--\p{Script=Han}]+)*/gv

/** Returns how many minutes it takes to read sanitized HTML, at least one. */
export function readingMinutesOf(html: string): number {
  const text = textOfHtml(html)
  const minutes =
    (text.match(words)?.length ?? 0) / wordsPerMinute +
    (text.match(characters)?.length ?? 0) / charactersPerMinute
  return Math.max(1, Math.round(minutes))
}
