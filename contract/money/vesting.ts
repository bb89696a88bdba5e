import * as z from 'zod/mini'
import { decimalPattern } from '../platform/fields.ts'
import { parseDecimal, writeDecimal } from '../platform/decimal.ts'

const partsMax = 120
const one = 10n ** 18n
const hundred = 100n * one
const unitOfToken = 10n ** 10n

/** A percentage from 0 to 100 with up to two decimal places. */
export const percent = z.string().check(
  z.trim(),
  z.regex(decimalPattern, 'number'),
  z.refine((value) => /^\d{1,3}(\.\d{1,2})?$/.test(value) && parseDecimal(value) <= hundred, 'number'),
)
export const vestingUnits = ['days', 'months'] as const
const count = (min: number, max: number) => z.int('number').check(z.gte(min, 'number'), z.lte(max, 'number'))
const unit = z.enum(vestingUnits, 'one_of')

/** When a buyer gets which part of the tokens, counted from the completion of the order. */
export const vestingPlan = z.strictObject({
  first: percent,
  // oxlint-disable-next-line unicorn/no-thenable -- a plan is never awaited
  then: z.nullable(
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('tranches'),
        parts: z
          .array(z.strictObject({ after: count(1, 3650), unit, percent }))
          .check(z.minLength(1, 'too_few'), z.maxLength(partsMax, 'too_many')),
      }),
      z.strictObject({
        kind: z.literal('linear'),
        wait: count(0, 3650),
        parts: count(1, partsMax),
        unit,
      }),
    ]),
  ),
})
export type VestingPlan = z.infer<typeof vestingPlan>
export const tranche = z.object({
  /** Counted from the completion of the order. */
  dueAfter: z.object({ count: z.number(), unit }),
  amount: z.string(),
})
export type Tranche = z.infer<typeof tranche>
type DueAfter = Tranche['dueAfter']

/** Splits a quantity into the tranches of a plan. The last one gets the remainder. */
export function splitTokens(quantity: string, { first, then }: VestingPlan): Tranche[] {
  const total = parseDecimal(quantity)
  const share = (of: string) => ((total * parseDecimal(of)) / hundred / unitOfToken) * unitOfToken
  const parts: { dueAfter: DueAfter; amount: bigint }[] = [
    { dueAfter: { count: 0, unit: 'days' }, amount: share(first) },
  ]
  if (then?.kind === 'tranches')
    parts.push(
      ...then.parts.map(({ after, unit: each, percent: of }) => ({
        dueAfter: { count: after, unit: each },
        amount: share(of),
      })),
    )
  if (then?.kind === 'linear') {
    const part = ((total - share(first)) / BigInt(then.parts) / unitOfToken) * unitOfToken
    for (let n = 1; n <= then.parts; n++)
      parts.push({ dueAfter: { count: then.wait + n, unit: then.unit }, amount: part })
  }
  const last = parts.at(-1)!
  last.amount += total - parts.reduce((sum, { amount }) => sum + amount, 0n)
  return parts
    .filter(({ amount }) => amount > 0n)
    .map(({ dueAfter, amount }) => ({ dueAfter, amount: writeDecimal(amount) }))
}
