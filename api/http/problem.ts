import { errorStatuses, type FieldError, type Problem, type ErrorCode } from '#contract/errors.ts'
import type english from '#content/messages/en/errors.json'
import { fill, type Values } from '../fill.ts'
import type { FieldRefusal, Refused } from '../refused.ts'

type Words = Readonly<Record<string, string>>
type ErrorKey = keyof typeof english

const say = (words: Words, key: ErrorKey, values?: Values<string>): string => fill(words[key] ?? key, values)

/** RFC 9457 problem details in the reader's language. Only the code of the cause is sent. */
export function problemOf(refused: Refused, words: Words): Problem {
  const sentence = say(words, refused.isClosed ? 'errors.member_closed' : `errors.${refused.code}`)
  const problem: Problem = {
    type: `urn:problem:${refused.code}`,
    title: titleOf(refused.code),
    status: errorStatuses[refused.code],
    detail: sentence,
    code: refused.code,
    message: sentence,
  }
  if (refused.fields.length > 0) problem.errors = refused.fields.map((field) => fieldErrorOf(field, words))
  if (refused.isClosed) problem.isClosed = true
  if (refused.secondFactor) problem.secondFactor = refused.secondFactor
  if (refused.work) problem.work = refused.work
  if (refused.broken) problem.broken = refused.broken
  if (refused.theirs) problem.theirs = refused.theirs
  return problem
}

const titleOf = (code: ErrorCode) => code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

const fieldErrorOf = (field: FieldRefusal, words: Words): FieldError => ({
  path: field.path,
  code: field.code,
  message: say(words, `field.${field.code}`, field.values),
})
