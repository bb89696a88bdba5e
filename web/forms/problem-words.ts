import type { FieldProblem } from '#contract/errors.ts'
import type { KeyTaking } from '../i18n/message-key.ts'
import { fieldWords } from '../i18n/field-words.ts'
import type { UsedWords } from '../i18n/words.tsx'

type Problem = {
  message: string
  minimum?: number | bigint
  maximum?: number | bigint
  params?: { minimum?: number; maximum?: number } | undefined
}

const words: Readonly<Record<FieldProblem, KeyTaking<'max' | 'min'>>> = {
  ...fieldWords,
  required: 'FormErrors.FieldRequiredError',
  email: 'FormErrors.ValidEmailError',
  mismatch: 'forms.passwordMismatch',
  // Said by the server alone, with both rates.
  confirm_rate: 'field.invalid',
}

/** The form library keeps a single string per error, so the violated bound follows its code: `too_long 254`. */
export function problemText({ message, minimum, maximum, params }: Problem): string {
  const bound = minimum ?? maximum ?? params?.minimum ?? params?.maximum
  return bound === undefined ? message : `${message} ${bound}`
}

/** The message for a schema issue: the contract's checks carry a field problem as their message. */
export function sayProblem(t: UsedWords['t'], text: string): string {
  const [name = '', bound] = text.split(' ')
  if (!isProblem(name)) return t('field.invalid')
  // The number as it should be typed, without the separators that a formatted number has.
  const shown = name === 'ambiguous_number' ? bound : Number(bound)
  const values = bound === undefined ? {} : { min: shown, max: shown }
  // A problem whose message names a bound carries it.
  return t(words[name], values as { min: number | string; max: number | string })
}

const isProblem = (name: string): name is FieldProblem => Object.hasOwn(words, name)
