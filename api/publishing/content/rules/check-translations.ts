import { furtherLanguages } from '../../../platform/site-content/further-language.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { comparePlaceholders } from './check-messages.ts'
import type { GivenContent } from './read-given.ts'
import { WHOLE_FILE, type Found } from './problem.ts'

/**
 * Texts of the API itself. Types guarantee that English and Chinese are complete; additional languages are checked
 * here.
 */
export const translated = ['emails', 'privacy', 'identity'] as const

/**
 * Checks emails, and the sentences of exports and decisions: existing texts must have the shape and placeholders of the
 * English.
 */
export function checkTranslations(given: GivenContent): Found[] {
  return translated.flatMap((folder) =>
    furtherLanguages.flatMap((language) => {
      const file = `${folder}/${language}.json`
      const [english, own] = [given.json(`${folder}/en.json`), given.json(file)]
      if (own === undefined) return []
      if (!isRecord(english) || !isRecord(own)) return [notAValue(file, WHOLE_FILE)]
      return compare({ file, above: '', isWhole: folder === 'emails' }, english, own)
    }),
  )
}

/** `isWhole`: each entry is only usable as a whole, as an email is. */
type Where = { file: string; above: string; isWhole: boolean }

function compare({ file, above, isWhole }: Where, english: object, own: object): Found[] {
  const originals = new Map(Object.entries(english) as [string, unknown][])
  return Object.entries(own).flatMap(([key, said]: [string, unknown]): Found[] => {
    const place = above + key
    const original = originals.get(key)
    if (original === undefined) return [{ file, place, code: 'unknown_key', values: { keys: key } }]
    if (isWhole && isRecord(original)) {
      if (!isRecord(said)) return [notAValue(file, place)]
      const lacking = Object.keys(original).filter((part) => !hasShapeOf(original[part], said[part]))
      if (lacking.length > 0) return lacking.map((part) => notAValue(file, `${place}.${part}`))
      return comparePlaceholders(file, place, textOf(original), textOf(said))
    }
    if (isRecord(original) && isRecord(said))
      return compare({ file, above: `${place}.`, isWhole: false }, original, said)
    if (!hasShapeOf(original, said)) return [notAValue(file, place)]
    return comparePlaceholders(file, place, textOf(original), textOf(said))
  })
}

const notAValue = (file: string, place: string): Found => ({
  file,
  place,
  code: 'not_a_value',
  values: { detail: 'structure differs from the English text' },
})

/** A text or a list of texts, like the English original. */
const hasShapeOf = (original: unknown, said: unknown): boolean =>
  Array.isArray(original)
    ? Array.isArray(said) && said.every((each) => typeof each === 'string')
    : typeof said === typeof original && (said === '') === (original === '')

const textOf = (value: unknown): string => (isRecord(value) ? Object.values(value) : [value]).flat().join(' ')
