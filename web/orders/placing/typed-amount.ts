import * as z from 'zod/mini'
import { decimal } from '#contract/decimal.ts'

/** Digits, point and comma as they are typed: also in full width, as Chinese keyboards write them. */
const plain = (typed: string): string => typed.normalize('NFKC').replaceAll(/[。｡]/g, '.').trim()

/** One to three digits, then a point or comma and three digits: a thousand and more to some, a fraction to others. */
const isAmbiguous = (text: string): boolean => /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)$/.test(text)

/** The amount as a decimal with a point. A comma is a decimal comma; what it cannot be is left as it is, and refused. */
export const readTypedAmount = (typed: string): string => {
  const text = plain(typed)
  return /^\d+,\d+$/.test(text) && !isAmbiguous(text) ? text.replace(',', '.') : text
}

/** A decimal as one would have to type it: `1.125` as `1.1250`. */
export const typedFrom = (amount: string): string => (isAmbiguous(amount) ? `${amount}0` : amount)

/** A typed amount. No reading of it is guessed: thousands are never taken for a fraction, nor a fraction for thousands. */
export const typedAmount = z.pipe(
  z.pipe(
    z.string().check(({ value, issues }) => {
      const text = plain(value)
      // With what was typed as a whole number, which the sentence names.
      if (isAmbiguous(text))
        issues.push({
          code: 'custom',
          message: `ambiguous_number ${text.replaceAll(/[.,]/g, '')}`,
          input: value,
        })
    }),
    z.transform(readTypedAmount),
  ),
  decimal,
)
