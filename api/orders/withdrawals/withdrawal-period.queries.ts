import type { Tx } from '../../db/database.ts'
import type { Promised } from './withdrawal.rules.ts'

export async function findPromise(db: Tx, orderId: string): Promise<Promised | null> {
  const row = await db
    .selectFrom('withdrawal_period')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row ? { until: row.until_at, lastDay: row.last_day, days: row.days, timeZone: row.time_zone } : null
}

export async function insertPromise(
  db: Tx,
  orderId: string,
  { until, lastDay, days, timeZone }: Promised,
): Promise<void> {
  await db
    .insertInto('withdrawal_period')
    .values({ order_id: orderId, until_at: until, last_day: lastDay, days, time_zone: timeZone })
    .execute()
}
