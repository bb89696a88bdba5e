import { isErrorCode } from './describe-error.ts'

/** A value that may appear in a log sentence. Each kind accepts only its own format; anything else is withheld. */
type Value = number | Sentence | { host: string } | { setting: string } | { code: string | undefined }

const hostForm = /^(?:\[[\da-f:.]{2,45}\]|[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?)(?::\d{1,5})?$/i
const settingForm = /^[A-Za-z]\w{0,60}$/

/** A sentence written by our own code for the log, which the logger keeps unchanged. */
export class Sentence {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/**
 * Creates a log sentence: the words are part of the code, and the values are hosts, setting names, error codes, and
 * numbers. Never include input from people or other programs.
 */
export const sentence = (words: TemplateStringsArray, ...values: Value[]): Sentence =>
  new Sentence(words.map((part, at) => part + (at < values.length ? textOf(values[at]!) : '')).join(''))

function textOf(value: Value): string {
  if (typeof value === 'number') return String(value)
  if (value instanceof Sentence) return value.text
  if ('host' in value) return hostForm.test(value.host) ? value.host : '(withheld)'
  if ('setting' in value) return settingForm.test(value.setting) ? value.setting : '(withheld)'
  return isErrorCode(value.code) ? String(value.code) : '(withheld)'
}
