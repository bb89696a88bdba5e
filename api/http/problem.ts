import { refusals, type FieldError, type Problem, type RefusalCode } from '#contract/errors.ts'
import type { Language } from '#contract/fields.ts'
import cn from '#content/messages/cn/errors.json' with { type: 'json' }
import en from '#content/messages/en/errors.json' with { type: 'json' }
import { fill, type Values } from '../fill.ts'
import type { FieldRefusal, Refused } from '../refused.ts'

const words: Record<Language, Record<string, string>> = { en, cn }

const say = (language: Language, key: string, values?: Values<string>): string =>
  fill(words[language][key] ?? key, values)

/** RFC 9457 problem details in the reader's language. Of the cause, only the code is sent. */
export function problemOf(refused: Refused, language: Language): Problem {
  const sentence = say(language, refused.isClosed ? 'errors.member_closed' : `errors.${refused.code}`)
  const problem: Problem = {
    type: `urn:problem:${refused.code}`,
    title: titleOf(refused.code),
    status: refusals[refused.code],
    detail: sentence,
    code: refused.code,
    message: sentence,
  }
  if (refused.fields.length > 0) problem.errors = refused.fields.map((field) => fieldErrorOf(field, language))
  if (refused.isClosed) problem.isClosed = true
  if (refused.secondFactor) problem.secondFactor = refused.secondFactor
  if (refused.broken) problem.broken = refused.broken
  if (refused.theirs) problem.theirs = refused.theirs
  return problem
}

const titleOf = (code: RefusalCode) =>
  code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

const fieldErrorOf = (field: FieldRefusal, language: Language): FieldError => ({
  path: field.path,
  code: field.code,
  message: say(language, `field.${field.code}`, field.values),
})
