import type { Language } from '#contract/fields.ts'
import type { RetainedData } from '#contract/privacy.ts'
import { formatDay } from '../format-time.ts'
import { sayOfArchive } from './archive-words.ts'

/** One sentence: what is retained after an erasure, and until when. */
export function describeRetained(retained: RetainedData, language: Language): string {
  const say = sayOfArchive(language)
  if (retained.length === 0) return say('kept.none')
  const list = retained
    .map(({ what, until }) => say(`kept.${what}`, { date: formatDay(new Date(until), language) }))
    .join(say('kept.separator'))
  return say('kept.some', { list })
}
