import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { Refused } from '../refused.ts'
import { hasChangedSale } from './sale.queries.ts'

/**
 * Whoever changed rates, limits or addresses does not buy at them: for a day the others see them first. The day begins with the sale where that is later. Any change counts,
 * for every payment method, since a rate also moves by renaming a method or by the time that a quote holds.
 */
export async function requireNotOwnPrice(db: Tx, memberId: string): Promise<void> {
  if (await hasChangedSale(db, memberId, DAY)) throw new Refused('own_price')
}
