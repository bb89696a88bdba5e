import brand from '#content/brand.json' with { type: 'json' }
import type { ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import type { Delivery, OrderDeliveries, OwnDelivery } from '#contract/money/deliveries.ts'
import { parseDecimal, shortDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../platform/db/database.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import { planOf } from './create-deliveries.ts'
import {
  isTakenBack,
  listDeliveriesOfOrder,
  type DeliveredOrder,
  type ListedDelivery,
  type ShownDelivery,
} from './delivery.queries.ts'

const ended = ['confirmed', 'cancelled', 'sent', 'in_run'] as const

/** What prevents a delivery matters only until it is in a payout run. */
const holdOf = ({ state, hold }: ShownDelivery) => (ended.some((each) => each === state) ? null : hold)

export const presentDelivery = (row: ShownDelivery): Delivery => ({
  id: row.id,
  reference: row.reference,
  tranche: row.tranche,
  amount: shortDecimal(row.amount),
  dueAt: row.due_at.toISOString(),
  state: row.state,
  hold: holdOf(row),
  address: row.address,
  txId: row.tx_id ?? '',
  confirmedAt: row.confirmed_at?.toISOString() ?? null,
})

export const presentOwnDelivery = (row: ShownDelivery): OwnDelivery => ({
  ...presentDelivery(row),
  orderId: row.order_id,
  orderReference: shownReference(row.order_reference),
})

/** Staff see only what members see when they view a delivery of their own. */
export const presentListedDelivery = (row: ListedDelivery, readerId: string): ConsoleDelivery => ({
  ...presentOwnDelivery(row),
  memberId: row.member_id,
  memberEmail: row.member_email ?? '',
  holdNote: row.member_id === readerId ? '' : row.hold_reason,
  run: row.run_id === null ? null : { id: row.run_id, number: Number(row.run_number) },
  sentAt: row.sent_at?.toISOString() ?? null,
})

const sumOf = (rows: readonly ShownDelivery[]): string =>
  writeDecimal(rows.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n))

/** Block explorer of the project's own chain, without a slash at the end. */
const explorerOfBrand = brand.links.explorer.replace(/\/+$/, '') || null

/** Presents the deliveries of an order, with totals of what was delivered and is still locked. */
export async function presentOrderDeliveries(
  db: Tx,
  explorer: string | null,
  order: DeliveredOrder,
): Promise<OrderDeliveries> {
  const rows = await listDeliveriesOfOrder(db, order.id)
  const counted = rows.filter(({ state }) => state !== 'cancelled')
  const open = counted.filter(({ run_id }) => run_id === null)
  const next = counted.find(({ state }) => state !== 'confirmed' && state !== 'sent')
  const isOver = order.status === 'cancelled' || (order.status === 'completed' && open.length === 0)
  return {
    orderId: order.id,
    memberId: order.member_id,
    address: order.fab_address,
    addressUsableFrom:
      order.address_usable_from && order.address_usable_from > new Date()
        ? order.address_usable_from.toISOString()
        : null,
    canChangeAddress: !isOver && !(await isTakenBack(db, order.id)),
    explorer: explorer ?? explorerOfBrand,
    bought: order.fab_qty === null ? '0' : shortDecimal(order.fab_qty),
    delivered: sumOf(counted.filter(({ state }) => state === 'confirmed')),
    dueNext: next ? { amount: shortDecimal(next.amount), dueAt: next.due_at.toISOString() } : null,
    locked: sumOf(counted.filter(({ state }) => state === 'scheduled')),
    plan: planOf(order),
    deliveries: rows.map(presentDelivery),
  }
}
