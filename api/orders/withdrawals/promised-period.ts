import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import { findSale } from '../../sale/sale.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { findPromise, insertPromise } from './withdrawal-period.queries.ts'
import { laterOf, periodOf, type Promised } from './withdrawal.rules.ts'

type Needed = Pick<Config, 'withdrawals'>
type Placed = Pick<OrderRow, 'id' | 'created_at'>

/** As the settings are now. */
async function periodBySettings(db: Tx, { withdrawals }: Needed, order: Placed): Promise<Promised | null> {
  if (withdrawals.days === 0) return null
  const period = periodOf(order.created_at, withdrawals, (await findSale(db))?.closes_at ?? null)
  return period && { ...period, days: withdrawals.days, timeZone: withdrawals.timeZone }
}

/** Keeps with a new order what its member is shown: what is set later takes nothing away of it. */
export async function promisePeriod(db: Tx, config: Needed, order: Placed): Promise<void> {
  const period = await periodBySettings(db, config, order)
  if (period) await insertPromise(db, order.id, period)
}

/** What was promised, or what the settings give by now, if that is more: a setting that gave too little can be put right. */
export const periodOfOrder = async (db: Tx, config: Needed, order: Placed): Promise<Promised | null> =>
  laterOf(await findPromise(db, order.id), await periodBySettings(db, config, order))
