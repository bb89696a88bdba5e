import * as z from 'zod/mini'

/**
 * How much one unit of a coin or currency is worth in another currency, as the operator entered it. These rates are only
 * shown: nothing is ever paid or calculated with them.
 */
export const displayRate = z.object({
  /** The unit of an order's amount, such as `BTC` or `USD`. */
  unit: z.string(),
  /** ISO 4217 code of the currency to show. */
  currency: z.string(),
  value: z.string(),
  /** The date of the rate, such as `2036-05-01`. */
  date: z.string(),
})
export type DisplayRate = z.infer<typeof displayRate>
export const displayRates = z.array(displayRate)
