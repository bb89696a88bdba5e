import brand from '#content/brand.json' with { type: 'json' }
import {
  parseDecimal,
  shortDecimal,
  writeDecimal,
  isBeyondTolerance,
  multiplyDown,
  tokenPlaces,
} from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { sendMail } from '../mail/send-mail.ts'
import { listFinanceOfficers } from '../members/finance-officer.queries.ts'
import { getMemberById } from '../members/member.queries.ts'
import { Refused, refusedField } from '../refused.ts'
import { findRoom } from '../sale/caps.ts'
import { findSale, listSaleWatchers, lockSale, type SaleRow, findPayMethod } from '../sale/sale.queries.ts'
import { consoleOrderLink, saleOrRecordLink } from '../site-links.ts'
import { auditOrder } from './order-history.queries.ts'
import type { OrderRow, OrderChange } from './order.queries.ts'
import type { Changing, Change } from './plan-change.ts'
import { shownReference } from './present-order.ts'
import type { Config } from '../config.ts'

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

type Tolerance = Pick<Config, 'orderTolerance'>

/** Returns the rate of the sale for a payment method; undefined if the sale has no such method. */
export const findSaleRate = async (db: Tx, payMethod: string): Promise<string | undefined> =>
  payMethod === '' ? undefined : (await findPayMethod(db, payMethod))?.rate

function isBought({ orderTolerance }: Tolerance, amount: string, rate: string, fabQty: string): boolean {
  const bought = multiplyDown(parseDecimal(amount), parseDecimal(rate), tokenPlaces)
  return !isBeyondTolerance(orderTolerance, fabQty, writeDecimal(bought))
}

/** Returns the quoted rate, or that of the sale if there was no quote or the payment method changes. */
export const findRate = async (
  db: Tx,
  stored: Pick<OrderRow, 'rate' | 'pay_method'>,
  { payMethod }: OrderChange,
): Promise<string | undefined> =>
  (payMethod === undefined ? stored.rate : null) ?? (await findSaleRate(db, payMethod ?? stored.pay_method))

/**
 * Requires confirmation if the quantity differs from what the amount buys at the quoted rate, or at the rate of the
 * sale if there was no quote or the payment method changes. The same amount of another coin buys a different quantity.
 * A quoted order that gets a method without a rate always needs confirmation.
 */
export async function requireQuantityAtRate(
  db: Tx,
  config: Tolerance,
  stored: OrderRow,
  { change, confirmsQuantity }: Pick<Change, 'confirmsQuantity'> & { change: OrderChange },
): Promise<void> {
  const isChanged = (['amount', 'fabQty', 'payMethod'] as const).some((name) => change[name] !== undefined)
  if (!isChanged || confirmsQuantity) return
  const { amount = stored.amount, fabQty = stored.fab_qty } = change
  if (amount === null || fabQty === null) return
  const rate = await findRate(db, stored, change)
  const isMet = rate === undefined ? stored.rate === null : isBought(config, amount, rate, fabQty)
  if (!isMet) throw refusedField('fabQty', 'differs_from_rate')
}

/** Requires a reason if an entered quantity differs from what the amount buys in the sale. */
export async function requireReasonOffRate(
  db: Tx,
  config: Tolerance,
  { amount = null, fabQty = null, payMethod = '' }: OrderChange,
): Promise<void> {
  if (amount === null || fabQty === null) return
  const rate = await findSaleRate(db, payMethod)
  if (rate !== undefined && !isBought(config, amount, rate, fabQty)) throw refusedField('reason', 'required')
}
