import type { Language } from '#contract/fields.ts'
import type { Kept } from '#contract/own-data.ts'
import { archiveWords, fillWords, sayDay } from './archive-words.ts'

/** In a sentence: what stays after an erasure and until when. */
export function sayKept(kept: Kept, language: Language): string {
  const words = archiveWords(language).kept
  if (kept.length === 0) return words.none
  const list = kept
    .map(({ what, until }) => fillWords(words[what], { date: sayDay(new Date(until), language) }))
    .join(words.separator)
  return fillWords(words.some, { list })
}
