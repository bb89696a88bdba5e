import { languages } from '#contract/languages.ts'
import { statutoryTexts } from '#contract/statutory-texts.ts'
import { isRecord } from '../../is-record.ts'
import type { GivenContent } from './given-content.ts'
import type { Found } from './problem.ts'

const textOf = (content: GivenContent, file: string, key: string): unknown => {
  const texts = content.json(file)
  return isRecord(texts) ? texts[key] : undefined
}

/** Notices that the law words are as in the files of the program, also in languages that lack them. */
export const checkStatutory = (given: GivenContent, fixed: GivenContent): Found[] =>
  languages.flatMap((language) => {
    const file = `messages/${language}/white-paper.json`
    return statutoryTexts
      .filter((key) => textOf(given, file, key) !== textOf(fixed, file, key))
      .map((place): Found => ({ file, place, code: 'statutory' }))
  })
