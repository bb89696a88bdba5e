import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { findSale } from '../../sale/sale.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { findPromise, insertPromise } from './withdrawal.queries.ts'
import { laterOf, periodOf, type Promised } from './withdrawal.rules.ts'

type Needed = Pick<Config, 'withdrawals'>
type Placed = Pick<OrderRow, 'id' | 'created_at'>

/** Returns the withdrawal period according to the current settings. */
async function periodBySettings(db: Tx, { withdrawals }: Needed, order: Placed): Promise<Promised | null> {
  if (withdrawals.days === 0) return null
  const period = periodOf(order.created_at, withdrawals, (await findSale(db))?.closes_at ?? null)
  return period && { ...period, days: withdrawals.days, timeZone: withdrawals.timeZone }
}

/** Stores the withdrawal period that a new order shows its member, so that later settings can't shorten it. */
export async function promisePeriod(db: Tx, config: Needed, order: Placed): Promise<void> {
  const period = await periodBySettings(db, config, order)
  if (period) await insertPromise(db, order.id, period)
}

/** Returns the promised period, or the current one if it is longer: a setting that was too short can be corrected. */
export const periodOfOrder = async (db: Tx, config: Needed, order: Placed): Promise<Promised | null> =>
  laterOf(await findPromise(db, order.id), await periodBySettings(db, config, order))
