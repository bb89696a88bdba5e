import type { ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import type { Delivery, OrderDeliveries, OwnDelivery } from '#contract/money/deliveries.ts'
import { parseDecimal, shortDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Services } from '../../platform/services.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import {
  canChangeAddress,
  listDeliveriesOfOrder,
  type DeliveredOrder,
  type ListedDelivery,
  type ShownDelivery,
} from './delivery.queries.ts'

const open = ['scheduled', 'due', 'on_hold'] as const

/** What prevents a delivery matters only until it is in a payout run, except a refund, because it must not be sent. */
const holdOf = ({ state, hold }: ShownDelivery) =>
  open.some((each) => each === state) || (hold === 'refunded' && (state === 'in_run' || state === 'sent'))
    ? hold
    : null

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
  sentAt: row.sent_at?.toISOString() ?? null,
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
  round: row.round_id === null ? null : { id: row.round_id, name: { en: row.round_en!, cn: row.round_cn! } },
  run: row.run_id === null ? null : { id: row.run_id, number: Number(row.run_number) },
})

const sumOf = (rows: readonly ShownDelivery[]): string =>
  writeDecimal(rows.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n))

/** Block explorer of the token, without a slash at the end. Null if none is set. */
export const explorerOf = ({ config, content }: Pick<Services, 'config' | 'content'>): string | null =>
  config.token.explorer ?? (content.brand().links.explorer?.replace(/\/+$/, '') || null)

/** What is due at the earliest time at which something is that was not sent yet. */
function dueNextOf(counted: readonly ShownDelivery[]): OrderDeliveries['dueNext'] {
  const unsent = counted.filter(({ state }) => state !== 'confirmed' && state !== 'sent')
  const dueAt = unsent[0]?.due_at
  if (!dueAt) return null
  const together = unsent.filter(({ due_at: at }) => at.getTime() === dueAt.getTime())
  return { amount: sumOf(together), dueAt: dueAt.toISOString() }
}

/** Presents the deliveries of an order, with sums of those that were confirmed and of those that are not due yet. */
export async function presentOrderDeliveries(
  db: Tx,
  services: Pick<Services, 'config' | 'content'>,
  order: DeliveredOrder,
): Promise<OrderDeliveries> {
  const rows = await listDeliveriesOfOrder(db, order.id)
  const counted = rows.filter(({ state }) => state !== 'cancelled')
  return {
    orderId: order.id,
    memberId: order.member_id,
    address: order.fab_address,
    addressUsableFrom:
      order.address_usable_from && order.address_usable_from > new Date()
        ? order.address_usable_from.toISOString()
        : null,
    canChangeAddress: await canChangeAddress(db, order),
    explorer: explorerOf(services),
    bought: order.fab_qty === null ? '0' : shortDecimal(order.fab_qty),
    delivered: sumOf(counted.filter(({ state }) => state === 'confirmed')),
    dueNext: dueNextOf(counted),
    locked: sumOf(counted.filter(({ state }) => state === 'scheduled')),
    deliveries: rows.map(presentDelivery),
  }
}
