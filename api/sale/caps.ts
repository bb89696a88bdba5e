import { parseDecimal, shortDecimal, writeDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { Refused, refusedField } from '../refused.ts'
import { findSold, sumSoldTo, type PayMethodRow, type SaleRow } from './sale.queries.ts'
import { amountFor } from './sale.rules.ts'

/** The tokens that the member may still order; null where nothing limits them. */
async function roomFor(db: Tx, sale: SaleRow, memberId: string): Promise<bigint | null> {
  const rooms: bigint[] = []
  if (sale.cap !== null) rooms.push(parseDecimal(sale.cap) - parseDecimal((await findSold(db)) ?? '0'))
  if (sale.member_cap !== null)
    rooms.push(parseDecimal(sale.member_cap) - parseDecimal(await sumSoldTo(db, memberId, sale.opens_at)))
  if (rooms.length === 0) return null
  const least = rooms.reduce((a, b) => (a < b ? a : b))
  // What finance enters with a reason may be more than the caps.
  return least > 0n ? least : 0n
}

/** The caller holds the lock of the sale, so that two orders do not both take the last tokens. */
export async function requireRoom(
  db: Tx,
  sale: SaleRow,
  memberId: string,
  fabQty: string | null | undefined,
): Promise<void> {
  const room = await roomFor(db, sale, memberId)
  if (room !== null && fabQty && parseDecimal(fabQty) > room) throw new Refused('cap_reached')
}

/** As `requireRoom`, where an amount can still be chosen: names the most there is room for, if that can be ordered at all. */
export async function requireQuotedRoom(
  db: Tx,
  sale: SaleRow,
  method: PayMethodRow,
  memberId: string,
  fabQty: string,
): Promise<void> {
  const room = await roomFor(db, sale, memberId)
  if (room === null || parseDecimal(fabQty) <= room) return
  const most = amountFor(method, room)
  if (most === 0n || most < parseDecimal(method.min_amount)) throw new Refused('cap_reached')
  throw refusedField('amount', 'too_much', { max: shortDecimal(writeDecimal(most)) })
}
