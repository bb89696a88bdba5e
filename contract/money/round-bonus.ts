import * as z from 'zod/mini'
import { decimal, parseDecimal } from '../platform/decimal.ts'
import { tokensFor } from './token-price.ts'
import { percent } from './vesting.ts'

/** Bonus tiers by tokens before the bonus, ascending. */
export const bonusTiers = z
  .array(z.strictObject({ from: decimal, percent }))
  .check(z.maxLength(10, 'too_many'))
export type BonusTier = z.infer<typeof bonusTiers>[number]

const hundred = parseDecimal('100')

/** The rate with a bonus, rounded down to 18 decimal places. */
export const raiseRate = (rate: bigint, bonusPercent: string): bigint =>
  (rate * (hundred + parseDecimal(bonusPercent))) / hundred

/**
 * What an amount buys with the bonus of a round: the highest tier that the quantity before the bonus reaches raises the
 * rate. All are in units of 10^-18.
 */
export function bonusFor(amount: bigint, rate: bigint, tiers: readonly BonusTier[]) {
  const base = tokensFor(amount, rate)
  const bonusPercent = tiers.findLast(({ from }) => parseDecimal(from) <= base)?.percent ?? '0'
  const raised = raiseRate(rate, bonusPercent)
  return { base, percent: bonusPercent, rate: raised, tokens: tokensFor(amount, raised) }
}
