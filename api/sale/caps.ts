import { parseDecimal, shortDecimal, writeDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { Refused, refusedField } from '../refused.ts'
import { findSold, sumSoldTo, type PayMethodRow, type SaleRow } from './sale.queries.ts'
import { amountFor } from './sale.rules.ts'

/**
 * Returns the number of tokens that an order of the member may have; null if there is no limit. `counted` is the part of
 * the order that counts toward the caps already.
 */
export async function findRoom(
  db: Tx,
  sale: SaleRow,
  memberId: string,
  counted: string | null = null,
): Promise<bigint | null> {
  const rooms: bigint[] = []
  const own = parseDecimal(counted ?? '0')
  if (sale.cap !== null) rooms.push(parseDecimal(sale.cap) - parseDecimal((await findSold(db)) ?? '0') + own)
  if (sale.member_cap !== null)
    rooms.push(
      parseDecimal(sale.member_cap) - parseDecimal(await sumSoldTo(db, memberId, sale.opens_at)) + own,
    )
  if (rooms.length === 0) return null
  const least = rooms.reduce((a, b) => (a < b ? a : b))
  // Orders for which finance confirmed it may exceed the caps.
  return least > 0n ? least : 0n
}

/** Requires that the caller holds the lock of the sale, so that two orders can't both take the last tokens. */
export async function requireRoom(
  db: Tx,
  sale: SaleRow,
  memberId: string,
  fabQty: string | null | undefined,
): Promise<void> {
  const room = await findRoom(db, sale, memberId)
  if (room !== null && fabQty && parseDecimal(fabQty) > room) throw new Refused('cap_reached')
}

/**
 * Does the same as `requireRoom` while the amount can still be changed: the error names the largest amount that fits,
 * if that can be ordered at all.
 */
export async function requireQuotedRoom(
  db: Tx,
  sale: SaleRow,
  method: PayMethodRow,
  { memberId, fabQty }: { memberId: string; fabQty: string },
): Promise<void> {
  const room = await findRoom(db, sale, memberId)
  if (room === null || parseDecimal(fabQty) <= room) return
  const most = amountFor(method, room)
  if (most === 0n || most < parseDecimal(method.min_amount)) throw new Refused('cap_reached')
  throw refusedField('amount', 'too_much', { max: shortDecimal(writeDecimal(most)) })
}
