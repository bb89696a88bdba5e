import { isDebitWord } from './direction-words.ts'

const wordAfter = /(?<=[\d\s)-])(\p{L}{1,12})\.?$/u
/* A currency may stand between the sign and the end of the text. */
const signBefore = /^((?:\p{Sc}|[A-Z]{3})?\s*)[-(]/u
const signAfter = /[-)](\s*(?:\p{Sc}|[A-Z]{3})?)$/u

/** Separates an amount from the sign, parentheses, or word that marks it as outgoing. */
export function splitSign(written: string): { size: string; isOutgoing: boolean } {
  const [all = '', word = ''] = wordAfter.exec(written) ?? []
  const amount = isDebitWord(word) ? written.slice(0, -all.length).trim() : written
  const size = amount.replace(signBefore, '$1').replace(signAfter, '$1').trim()
  return { size, isOutgoing: size !== written }
}
