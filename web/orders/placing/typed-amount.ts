import * as z from 'zod/mini'
import { decimal } from '#contract/decimal.ts'

/** Digits, point, and comma, also in full width as Chinese keyboards type them. */
const plain = (typed: string): string => typed.normalize('NFKC').replaceAll(/[。｡]/g, '.').trim()

/** One to three digits, a point or comma, and three digits: some read thousands, others a fraction. */
const isAmbiguous = (text: string): boolean => /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)$/.test(text)

/**
 * The amount as a decimal with a point. A comma is a decimal comma; if it can't be one, it stays and is
 * refused.
 */
export const readTypedAmount = (typed: string): string => {
  const text = plain(typed)
  return /^\d+,\d+$/.test(text) && !isAmbiguous(text) ? text.replace(',', '.') : text
}

/** A decimal as it must be typed to be unambiguous: `1.125` becomes `1.1250`. */
export const typedFrom = (amount: string): string => (isAmbiguous(amount) ? `${amount}0` : amount)

/**
 * A typed amount. Ambiguous input is refused: thousands are never taken for a fraction, nor a fraction for
 * thousands.
 */
export const typedAmount = z.pipe(
  z.pipe(
    z.string().check(({ value, issues }) => {
      const text = plain(value)
      // Carries the input as a whole number, which the message names.
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
