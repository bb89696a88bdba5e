import * as z from 'zod/mini'
import { decimal } from '#contract/platform/decimal.ts'

/** Digits, point, and comma, including their full-width forms from Chinese keyboards. */
const plain = (typed: string): string => typed.normalize('NFKC').replaceAll(/[。｡]/g, '.').trim()

/**
 * One to three digits, a point or comma, and three digits. Some readers take this for thousands, others for a fraction.
 */
const isAmbiguous = (text: string): boolean => /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)$/.test(text)

/**
 * Returns the amount as a decimal with a point. A comma is a decimal comma; if it cannot be one, it stays and the
 * amount is rejected.
 */
export const readTypedAmount = (typed: string): string => {
  const text = plain(typed)
  return /^\d+,\d+$/.test(text) && !isAmbiguous(text) ? text.replace(',', '.') : text
}

/** Formats a decimal so that it is unambiguous when typed: `1.125` becomes `1.1250`. */
export const typedFrom = (amount: string): string => (isAmbiguous(amount) ? `${amount}0` : amount)

/**
 * A typed amount. Ambiguous input is rejected, so that thousands are never taken for a fraction, nor a fraction for
 * thousands.
 */
export const typedAmount = z.pipe(
  z.pipe(
    z.string().check(({ value, issues }) => {
      const text = plain(value)
      // Includes the input as a whole number, which the message mentions.
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
