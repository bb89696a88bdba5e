import type { Language } from '#contract/fields.ts'
import type { Kept } from '#contract/own-data.ts'
import { formatDay } from '../format-day.ts'
import { sayOfArchive } from './archive-words.ts'

/** In a sentence: what stays after an erasure and until when. */
export function sayKept(kept: Kept, language: Language): string {
  const say = sayOfArchive(language)
  if (kept.length === 0) return say('kept.none')
  const list = kept
    .map(({ what, until }) => say(`kept.${what}`, { date: formatDay(new Date(until), language) }))
    .join(say('kept.separator'))
  return say('kept.some', { list })
}
