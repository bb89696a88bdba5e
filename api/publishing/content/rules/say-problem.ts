import type { ContentProblem, RuleCode } from '#contract/publishing/content-rules.ts'
import { completeLanguages, type Language } from '#contract/platform/languages.ts'
import cn from '#content/rules/cn.json' with { type: 'json' }
import en from '#content/rules/en.json' with { type: 'json' }
import type { Found } from './problem.ts'

const words: Readonly<Record<Language, Readonly<Record<RuleCode | 'nothing', string>>>> = { en, cn }

/** Returns the problem with its message in every language. */
export const problemMessage = (found: Found): ContentProblem => ({
  file: found.file,
  place: found.place,
  code: found.code,
  words: Object.fromEntries(
    completeLanguages.map((language) => [language, sentenceOf(found, language)]),
  ) as Record<Language, string>,
})

/** Replaces placeholders in one pass, so that one inside a value is not interpolated. */
const sentenceOf = ({ code, values = {} }: Found, language: Language): string =>
  words[language][code].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    valueIn(language, code, values[name] ?? whole),
  )

/** Returns a value in the reader's language: states of milestones have names in each language, as in the editor. */
function valueIn(language: Language, code: RuleCode, value: string | number): string {
  if (value === '') return words[language].nothing
  const named: Readonly<Record<string, string>> = code === 'state_order' ? words[language] : {}
  return named[value] ?? String(value)
}
