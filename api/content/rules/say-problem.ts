import type { ContentProblem, RuleCode } from '#contract/content-rules.ts'
import { completeLanguages, type Language } from '#contract/languages.ts'
import cn from '#content/rules/cn.json' with { type: 'json' }
import en from '#content/rules/en.json' with { type: 'json' }
import type { Found } from './problem.ts'

const words: Readonly<Record<Language, Readonly<Record<RuleCode | 'nothing', string>>>> = { en, cn }

/** What was found, with its sentence in every language. */
export const sayProblem = (found: Found): ContentProblem => ({
  file: found.file,
  place: found.place,
  code: found.code,
  words: Object.fromEntries(
    completeLanguages.map((language) => [language, sentenceOf(found, language)]),
  ) as Record<Language, string>,
})

/** In one pass, so that a placeholder in a value is not filled. */
const sentenceOf = ({ code, values = {} }: Found, language: Language): string =>
  words[language][code].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    valueIn(language, code, values[name] ?? whole),
  )

/** States of milestones have names in each language, as the editor shows them. */
function valueIn(language: Language, code: RuleCode, value: string | number): string {
  if (value === '') return words[language].nothing
  const named: Readonly<Record<string, string>> = code === 'state_order' ? words[language] : {}
  return named[value] ?? String(value)
}
