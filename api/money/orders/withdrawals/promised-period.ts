import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { findSale } from '../../sale/sale.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { findPromise, insertPromise, listPromises } from './withdrawal.queries.ts'
import { laterOf, periodOf, type Promised } from './withdrawal.rules.ts'

type Needed = Pick<Config, 'withdrawals'>
type Placed = Pick<OrderRow, 'id' | 'created_at'>

/** Returns the withdrawal period according to the current settings. */
async function periodBySettings(db: Tx, config: Needed, order: Placed): Promise<Promised | null> {
  if (config.withdrawals.days === 0) return null
  return periodUntil(config, order, (await findSale(db))?.closes_at ?? null)
}

function periodUntil({ withdrawals }: Needed, order: Placed, closesAt: Date | null): Promised | null {
  const period = periodOf(order.created_at, withdrawals, closesAt)
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

/** Returns the same for each of many orders, by their ID. */
export async function periodsOfOrders(
  db: Tx,
  config: Needed,
  orders: readonly Placed[],
): Promise<Map<string, Promised>> {
  const promises = await listPromises(
    db,
    orders.map(({ id }) => id),
  )
  const closesAt = (await findSale(db))?.closes_at ?? null
  return new Map(
    orders.flatMap((order) => {
      const period = laterOf(promises.get(order.id) ?? null, periodUntil(config, order, closesAt))
      return period ? [[order.id, period] as const] : []
    }),
  )
}
