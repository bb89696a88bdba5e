import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type Language } from '#contract/platform/languages.ts'
import { contentFolder } from './content-folder.ts'
import { isRecord } from '../is-record.ts'

/**
 * Reads the API's own texts, such as emails, in each language at startup. Missing translations fall back to English: an
 * email as a whole, everything else message by message.
 */
export function readTranslations<Words extends object>(
  folder: 'emails' | 'identity' | 'messages' | 'privacy',
  english: Words,
  name?: string,
): (language: Language) => Words {
  const known = new Map(
    languages.map((language) => {
      const file = join(contentFolder, folder, name ? join(language, `${name}.json`) : `${language}.json`)
      const own: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
      return [language, withGapsFilled(english, own, folder !== 'emails') as Words]
    }),
  )
  // A language that is no longer offered falls back to English.
  return (language) => known.get(language) ?? english
}

function withGapsFilled(english: object, own: unknown, isDeep: boolean): object {
  const given = isRecord(own) ? own : {}
  const filled = Object.entries(english).map(([key, value]: [string, unknown]) => {
    const said = given[key]
    return [key, isDeep && isRecord(value) ? withGapsFilled(value, said, true) : (said ?? value)]
  })
  return Object.fromEntries(filled) as object
}
