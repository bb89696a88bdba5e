import { isAlwaysComplete, languages, type Language } from '#contract/platform/languages.ts'
import { isRecord } from '../is-record.ts'

type Words = Readonly<Record<string, string>>

/** Languages that the project added to the complete ones. */
export const furtherLanguages: readonly Language[] = languages.filter((each) => !isAlwaysComplete(each))

/**
 * Whether the file contains texts of the console, which exists only in the complete languages: a partial translation
 * could mislead staff.
 */
export const isOfStaff = (file: string): boolean => /^(console(-.*)?|review|newsroom|editor)$/.test(file)

/** Texts that make no sense if half translated: always in one language as a whole. */
const wholeFiles: ReadonlySet<string> = new Set(['legal'])

/** Notices for a language with missing translations; other languages don't show them. */
const ofGaps = { anywhere: 'layout.language.partial', legal: 'legal.untranslated' }

type SpokenFiles = ReadonlyMap<string, Words>

/** Returns the texts without the notices about missing translations. */
export const completeWords = (files: SpokenFiles): Map<string, Words> =>
  new Map([...files].map(([name, words]) => [name, without(words, Object.values(ofGaps))]))

/**
 * Returns the texts of an additional language with missing ones in English, and how many of those that visitors read
 * were missing.
 */
export function filledWords(
  english: SpokenFiles,
  own: SpokenFiles,
): { words: Map<string, Words>; gaps: number } {
  let gaps = 0
  const untold: string[] = []
  const filled = [...english].map(([name, known]) => {
    const given = own.get(name) ?? {}
    const missing = Object.keys(known).filter((key) => !Object.hasOwn(given, key) && !isOfGaps(key))
    if (!isOfStaff(name)) gaps += missing.length
    const isWhole = missing.length === 0 || !wholeFiles.has(name)
    if (name === 'legal' && isWhole) untold.push(ofGaps.legal)
    const said = isWhole ? given : pick(given, isOfGaps)
    return [name, { ...known, ...pick(said, (key) => Object.hasOwn(known, key)) }] as const
  })
  return { words: new Map(filled.map(([name, words]) => [name, without(words, untold)])), gaps }
}

/** Removes the notices once nothing is missing. */
export const withoutNotice = (files: SpokenFiles): Map<string, Words> =>
  new Map([...files].map(([name, words]) => [name, without(words, [ofGaps.anywhere])]))

const isOfGaps = (key: string): boolean => Object.values(ofGaps).includes(key)

const pick = (words: Words, isIn: (key: string) => boolean): Words =>
  Object.fromEntries(Object.entries(words).filter(([key]) => isIn(key)))

const without = (words: Words, keys: readonly string[]): Words =>
  keys.some((key) => Object.hasOwn(words, key)) ? pick(words, (key) => !keys.includes(key)) : words

/**
 * Returns the value with translations that entries lack in an additional language filled in from English. Calls `onGap`
 * for each.
 */
export function filledEntries(value: unknown, onGap: (language: Language) => void): unknown {
  if (furtherLanguages.length === 0) return value
  if (Array.isArray(value)) return value.map((each) => filledEntries(each, onGap))
  if (!isRecord(value)) return value
  if (!('en' in value && 'cn' in value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filledEntries(part, onGap)]))
  const lacking = furtherLanguages.filter((language) => value[language] === undefined)
  for (const language of lacking) onGap(language)
  // Values beside the translations may contain translations themselves. Captions are already separate files.
  const isWhole = (key: string) => key === 'captions' || languages.includes(key as Language)
  const others = Object.entries(value).map(([key, part]) => [
    key,
    isWhole(key) ? part : filledEntries(part, onGap),
  ])
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(lacking.map((language) => [language, value['en']])),
  }
}

/** Adds which captions exist, if films may lack those of a language. */
export function withCaptions(films: unknown, names: readonly string[]): unknown {
  if (furtherLanguages.length === 0 || !Array.isArray(films)) return films
  return films.map((film: { file: string }) => ({
    ...film,
    subtitled: languages.filter(
      (language) => isAlwaysComplete(language) || names.includes(`${film.file}-${language}.vtt`),
    ),
  }))
}
