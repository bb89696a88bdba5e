import { fieldProblems, type FieldProblem } from '#contract/errors.ts'
import type { MessageKey } from '../i18n/message-key.ts'
import { fieldWords } from '../i18n/refusal-words.ts'

const words: Readonly<Record<FieldProblem, MessageKey>> = {
  ...fieldWords,
  required: 'FormErrors.FieldRequiredError',
  email: 'FormErrors.ValidEmailError',
  mismatch: 'forms.passwordMismatch',
}

/** The words for what a schema says is wrong: the contract's checks carry a field problem as their message. */
export function problemWords(message: string): MessageKey {
  return (fieldProblems as readonly string[]).includes(message)
    ? words[message as FieldProblem]
    : 'field.invalid'
}
