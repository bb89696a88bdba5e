import brand from '#content/brand.json' with { type: 'json' }
import { parseDecimal, shortDecimal, writeDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { sendMail } from '../mail/send-mail.ts'
import { listFinanceOfficers } from '../members/finance-officer.queries.ts'
import { getMemberById } from '../members/member.queries.ts'
import { Refused, refusedField } from '../refused.ts'
import { findRoom } from '../sale/caps.ts'
import { findSale, listSaleWatchers, lockSale, type SaleRow } from '../sale/sale.queries.ts'
import { consoleOrderLink, saleOrRecordLink } from '../site-links.ts'
import { auditOrder } from './audit-order.ts'
import type { OrderRow } from './order.queries.ts'
import type { Changing } from './plan-change.ts'
import { shownReference } from './present-order.ts'

type Counted = Pick<OrderRow, 'member_id' | 'status' | 'created_at' | 'fab_qty'>
type Confirmation = { exceedsCap?: boolean | undefined; reason: string }

/** Returns the largest quantity of the order within the caps; null if there is none, or if the order doesn't count. */
export async function findCapRoom(db: Tx, order: Counted): Promise<string | null> {
  const room = await roomOf(db, await findSale(db), order)
  return room === null ? null : shortDecimal(writeDecimal(room))
}

async function roomOf(db: Tx, sale: SaleRow | undefined, order: Counted): Promise<bigint | null> {
  if (!sale || order.status === 'cancelled') return null
  if (sale.opens_at && order.created_at < sale.opens_at) return null
  return findRoom(db, sale, order.member_id, order.fab_qty)
}

/**
 * Rejects a larger quantity that exceeds a cap, unless finance confirms this with a reason. A reason alone isn't enough,
 * because other parts of the request may require one. Returns by how many tokens the order exceeds the caps.
 */
export async function requireConfirmedExcess(
  db: Tx,
  order: Counted,
  fabQty: string | null | undefined,
  { exceedsCap, reason }: Confirmation,
): Promise<string | undefined> {
  if (!fabQty || parseDecimal(fabQty) <= parseDecimal(order.fab_qty ?? '0')) return undefined
  const room = await roomOf(db, await lockSale(db), order)
  if (room === null || parseDecimal(fabQty) <= room) return undefined
  if (!exceedsCap) throw new Refused('cap_reached')
  if (reason === '') throw refusedField('reason', 'required')
  return writeDecimal(parseDecimal(fabQty) - room)
}

/** Emails administrators and everyone who manages the sale or orders, including the officer who confirmed it. */
export async function recordExceededCap(
  db: Tx,
  order: OrderRow,
  excess: string | undefined,
  { keys, config, caller: { memberId } }: Changing,
): Promise<void> {
  if (excess === undefined || memberId === null) return
  await auditOrder(db, memberId, 'order-cap-exceeded', order.id)
  const watchers = await listSaleWatchers(db)
  const officers = await listFinanceOfficers(db, config)
  const isOfficer = new Set(officers.map(({ id }) => id))
  const readers = [
    ...officers.map((officer) => ({ ...officer, link: consoleOrderLink(config, order.id) })),
    ...watchers
      .filter(({ id }) => !isOfficer.has(id))
      .map((watcher) => ({ ...watcher, link: saleOrRecordLink(config, watcher) })),
  ]
  const { email } = await getMemberById(db, memberId)
  for (const { link, ...reader } of readers)
    if (reader.id !== order.member_id)
      await sendMail(db, keys, reader, 'sale-cap-exceeded', {
        name: email,
        reference: shownReference(order.reference),
        excess: `${shortDecimal(excess)} ${brand.ticker}`,
        link,
      })
}
