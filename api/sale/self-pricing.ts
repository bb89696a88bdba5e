import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { Refused } from '../refused.ts'
import { hasChangedSale } from './sale.queries.ts'

/**
 * Enforces the self-pricing restriction: for a day after changing rates, limits, or addresses, a price editor can't
 * order, so that others see the change first. If the sale starts later, the day counts from its start. Any change of
 * any payment method counts, since renaming a method or changing the quote validity also affects prices.
 */
export async function requireNoSelfPricing(db: Tx, memberId: string): Promise<void> {
  if (await hasChangedSale(db, memberId, DAY)) throw new Refused('own_price')
}
