import {
  refusals,
  type FieldError,
  type MachineRefusal,
  type Problem,
  type RefusalCode,
} from '#contract/errors.ts'
import { fill, type Values } from '../fill.ts'
import type { FieldRefusal, Refused } from '../refused.ts'

type Words = Readonly<Record<string, string>>

/** Browsers have no list of these: their sentences come from here alone. */
const ofMachines: { readonly [Code in MachineRefusal]: string } = {
  token_invalid: 'errors.token_invalid',
  token_misused: 'errors.token_misused',
  token_read_only: 'errors.token_read_only',
  person_required: 'errors.person_required',
}
const keyOf = (code: RefusalCode): string =>
  code in ofMachines ? ofMachines[code as MachineRefusal] : `errors.${code}`

const say = (words: Words, key: string, values?: Values<string>): string => fill(words[key] ?? key, values)

/** RFC 9457 problem details in the words of the reader's language. Of the cause, only the code is sent. */
export function problemOf(refused: Refused, words: Words): Problem {
  const sentence = say(words, refused.isClosed ? 'errors.member_closed' : keyOf(refused.code))
  const problem: Problem = {
    type: `urn:problem:${refused.code}`,
    title: titleOf(refused.code),
    status: refusals[refused.code],
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

const titleOf = (code: RefusalCode) =>
  code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

const fieldErrorOf = (field: FieldRefusal, words: Words): FieldError => ({
  path: field.path,
  code: field.code,
  message: say(words, `field.${field.code}`, field.values),
})
