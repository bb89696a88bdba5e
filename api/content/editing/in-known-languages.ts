import { languages } from '#contract/languages.ts'
import { isRecord } from '../../is-record.ts'

/**
 * Without what stands in a language that was taken away: the rules know the present ones, and would refuse the whole list for
 * it. It is known by its code, and by having the shape of the English beside it.
 */
export function inKnownLanguages(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKnownLanguages)
  if (!isRecord(value)) return value
  const hasLanguages = 'en' in value && 'cn' in value
  const kept = Object.entries(value).filter(
    ([key, part]) => !hasLanguages || !isFormer(key) || shapeOf(part) !== shapeOf(value['en']),
  )
  return Object.fromEntries(kept.map(([key, part]) => [key, inKnownLanguages(part)]))
}

const isFormer = (key: string): boolean =>
  /^[a-z]{2,3}$/.test(key) && !(languages as readonly string[]).includes(key)

const shapeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)
