import { isErrorCode } from './describe-error.ts'

/** A value that a sentence of the log may name. Each kind accepts only its own form; anything else is withheld. */
type Value = number | Sentence | { host: string } | { setting: string } | { code: string | undefined }

const hostForm = /^(?:\[[\da-f:.]{2,45}\]|[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?)(?::\d{1,5})?$/i
const settingForm = /^[A-Za-z]\w{0,60}$/

/** A sentence that our own code wrote for the log, so the logger keeps it as it is. */
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
 * Writes a sentence for the log: its words stand in the code, and its values are hosts, names of settings, codes of
 * errors and numbers. What people or other programs wrote never belongs in one.
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
