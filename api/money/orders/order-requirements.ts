import { shownReference } from '../../platform/text/order-reference.ts'
import { listSaleWatchers } from '../../people/members/sale-watcher.queries.ts'
import {
  isBeyondTolerance,
  multiplyDown,
  parseDecimal,
  tokenPlaces,
  shortDecimal,
  writeDecimal,
} from '#contract/platform/decimal.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { Refused, refusedField, type FieldRefusal } from '../../platform/refused.ts'
import { TransactionUsed } from './claim-transaction.ts'
import type { OrderChange, OrderRow } from './order.queries.ts'
import { listReturned, listReturnedKeys } from './statements/returned-payment.queries.ts'
import { listContested, listPaidByRefund, listSharingPayment } from './order-transaction.queries.ts'
import { transactionKey } from './payment.rules.ts'
import type { Config } from '../../platform/config/config.ts'
import { findOnChain, findPaidOnChain } from './order-change.queries.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { listFinanceOfficers } from '../../people/members/approver.queries.ts'
import { getMemberById } from '../../people/members/member.queries.ts'
import {
  findSale,
  lockSale,
  type SaleRow,
  findSold,
  sumSoldTo,
  type PayMethodRow,
  hasChangedSale,
  listPayMethods,
} from '../sale/sale.queries.ts'
import { consoleOrderLink, saleOrRecordLink } from '../../platform/site-links.ts'
import { auditOrder } from './order-history.queries.ts'
import type { Changing, Change } from './plan-change.ts'
import { bonusOf, effectiveMethod, listRoundRooms } from '../sale/current-round.ts'
import { findRoundOf, listRounds, type RoundRow } from '../sale/rounds.queries.ts'
import { bonusFor } from '#contract/money/round-bonus.ts'
import { amountFor } from '../sale/sale.rules.ts'

type Settled = Pick<OrderChange, 'reportedLate' | 'disputed'>
type Given = {
  txId?: string | null | undefined
  sharesTransaction?: boolean | undefined
  reason?: string | undefined
}

const flags = { disputed: 'is_disputed', reportedLate: 'is_reported_late' } as const

/** Flags about the payment that finance has not resolved. */
export const openFlagsOf = (
  order: Pick<OrderRow, 'is_disputed' | 'is_reported_late'>,
  settled: Settled = {},
): (keyof typeof flags)[] =>
  (['disputed', 'reportedLate'] as const).filter((flag) => order[flags[flag]] && settled[flag] === undefined)

/**
 * Rejects orders with unresolved flags: neither tokens nor money may be sent before it is clear whose payment it is.
 */
export function requireSettled(
  order: Pick<OrderRow, 'is_disputed' | 'is_reported_late'>,
  settled: Settled = {},
): void {
  const open = openFlagsOf(order, settled)
  if (open.length > 0)
    throw new Refused('conflict', { fields: open.map((path) => ({ path, code: 'unsettled' })) })
}

/**
 * Rejects completing an order that has unresolved flags or that the same request corrects, because the member must see
 * the correction first.
 */
export function requireCompletable(stored: OrderRow, settled: Settled, corrected: readonly string[]): void {
  requireSettled(stored, settled)
  if (corrected.length > 0)
    throw new Refused('validation_failed', {
      fields: corrected.map((path) => ({ path, code: 'separately' })),
    })
}

/**
 * Rejects completing an order whose payment was returned, until someone resolves the statement line. `orderId` is null
 * if the order isn't stored yet, and `txId` is the transaction that the same request names.
 */
export async function requireNotReturned(db: Tx, orderId: string | null, txId = ''): Promise<void> {
  const [order] = orderId === null ? [] : await listReturned(db, [orderId])
  const [key] = txId === '' ? [] : await listReturnedKeys(db, [transactionKey(txId)])
  if (order !== undefined || key !== undefined)
    throw new Refused('conflict', { fields: [{ path: 'payment', code: 'unsettled' }] })
}

/** Whether another order has or had the same payment, even if finance confirmed that it pays both. */
export const isPaymentShared = async (
  db: Tx,
  order: Pick<OrderRow, 'id' | 'is_tx_shared'>,
): Promise<boolean> =>
  order.is_tx_shared ||
  (await listSharingPayment(db, order.id)).length > 0 ||
  (await listPaidByRefund(db, [order.id])).length > 0

/**
 * Ensures that one payment completes only one order, even if it was named, replaced, and then named for another order.
 * Returns whether finance confirmed the exception with a reason.
 */
export async function confirmsShared(
  db: Tx,
  orderId: string,
  { sharesTransaction, reason }: Given,
): Promise<boolean> {
  const contested = await listContested(db, [orderId])
  if (contested.length === 0) return false
  if (!sharesTransaction) throw new TransactionUsed(contested.map(({ other }) => other))
  if (!reason) throw refusedField('reason', 'required')
  return true
}

type Completing = {
  /** Amount due after the request. */
  due: string | null
  paid: Pick<OrderChange, 'paidAmount'>
  /** Reason in this request, or the one given with the proposal. */
  reason: string
  /** Whether the received amount comes from an imported statement or from the chain instead of an officer's entry. */
  hasEvidence: boolean
}

/** Amount received for an order, and how much of it the chain proves. */
export type Payment = { received: string; evidence: string | undefined }

/**
 * Rejects completing an order unless its payment was recorded, seen on chain, or is stated in this request with a
 * reason. A payment on chain that relies on a staff statement needs a reason like a stated one, and so does any
 * received amount beyond the tolerance, or for an unknown amount due.
 */
export async function requirePayment(
  db: Tx,
  config: Pick<Config, 'orderTolerance'>,
  stored: OrderRow,
  { due, paid, reason, hasEvidence }: Completing,
): Promise<Payment> {
  const { seen, proven, evidence } = await findOnChain(db, stored.id)
  const stated = paid.paidAmount ?? null
  const known = paid.paidAmount === undefined ? (stored.paid_amount ?? seen) : undefined
  const received = stated ?? known
  if (received === undefined) throw missingPayment(reason)
  const payment = { received, evidence }
  if (reason) return payment
  const isRecorded = paid.paidAmount === undefined && stored.paid_amount !== null
  const isOnWordAlone = !isRecorded && !hasEvidence && !isSameAmount(received, proven)
  if (isOnWordAlone || isOtherAmount(config, received, due)) throw refusedField('reason', 'required')
  return payment
}

const isOtherAmount = (
  { orderTolerance }: Pick<Config, 'orderTolerance'>,
  received: string,
  due: string | null,
): boolean =>
  due === null || parseDecimal(received) === 0n || isBeyondTolerance(orderTolerance, received, due)

function missingPayment(reason: string): Refused {
  const fields: FieldRefusal[] = [{ path: 'paidAmount', code: 'required' }]
  if (!reason) fields.push({ path: 'reason', code: 'required' })
  return new Refused('validation_failed', { fields })
}

const isSameAmount = (a: string, b: string | undefined): boolean =>
  b !== undefined && parseDecimal(a) === parseDecimal(b)

/**
 * Whether a payment on chain that counts as evidence covers the amount due and buys the quantity at the quoted rate.
 * Without a quote, quantity and amount rest only on a staff statement.
 */
export const isCoveredOnChain = (
  evidence: string | undefined,
  { amount, fabQty, rate }: { amount: string | null; fabQty: string | null; rate: string | null },
): boolean =>
  evidence !== undefined &&
  amount !== null &&
  fabQty !== null &&
  rate !== null &&
  parseDecimal(evidence) >= parseDecimal(amount) &&
  parseDecimal(fabQty) <= multiplyDown(parseDecimal(evidence), parseDecimal(rate), tokenPlaces)

/** Returns the amount received for the order, as recorded or as seen on chain; undefined if nothing was. */
export async function findReceived(
  db: Tx,
  order: Pick<OrderRow, 'id' | 'paid_amount'>,
): Promise<string | undefined> {
  const received = order.paid_amount ?? (await findPaidOnChain(db, order.id))?.received
  return received !== undefined && parseDecimal(received) > 0n ? received : undefined
}

type Counted = Pick<OrderRow, 'member_id' | 'status' | 'created_at' | 'fab_qty' | 'round_id'>
type Confirmation = { exceedsCap?: boolean | undefined; reason: string }

/** Returns the largest quantity of the order within the caps; null if there is none, or if the order doesn't count. */
export async function findCapRoom(db: Tx, order: Counted): Promise<string | null> {
  const room = await roomOf(db, await findSale(db), order)
  return room === null ? null : shortDecimal(writeDecimal(room))
}

async function roomOf(db: Tx, sale: SaleRow | undefined, order: Counted): Promise<bigint | null> {
  if (!sale || order.status === 'cancelled') return null
  const round = await findRoundOf(db, order)
  const isCounted = !(sale.opens_at && order.created_at < sale.opens_at)
  return findRoom(db, { sale: isCounted ? sale : undefined, round }, order.member_id, order.fab_qty)
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

const boughtWith = (amount: string, rate: string): bigint =>
  multiplyDown(parseDecimal(amount), parseDecimal(rate), tokenPlaces)

const isBought = ({ orderTolerance }: Tolerance, amount: string, rate: string, fabQty: string): boolean =>
  !isBeyondTolerance(orderTolerance, fabQty, writeDecimal(boughtWith(amount, rate)))

type Amount = { payMethod: string; roundId: string | null; amount: string }

/** The rates at which the sale sells, for orders without a quote. Null before there is a sale. */
export type SaleRates = {
  hasMethods: boolean
  /** The rate in the round of the order, with the bonus for the amount; undefined if the sale has no such method. */
  rateFor: (of: Amount) => string | undefined
} | null

/** Reads them once for all orders. */
export async function readSaleRates(db: Tx): Promise<SaleRates> {
  if ((await findSale(db)) === undefined) return null
  const [methods, rounds] = [await listPayMethods(db), await listRounds(db)]
  return {
    hasMethods: methods.length > 0,
    rateFor: ({ payMethod, roundId, amount }) => {
      const round = rounds.find((each) => (roundId === null ? each.is_former : each.id === roundId))
      const method = methods.find(({ code }) => code === payMethod)
      if (!method) return undefined
      const { rate } = effectiveMethod(method, round)
      return writeDecimal(
        bonusFor(parseDecimal(amount), parseDecimal(rate), round ? bonusOf(round) : []).rate,
      )
    },
  }
}

type Priced = {
  rate: string | null
  payMethod: string
  roundId: string | null
  received: string
  fabQty: string | null
}

/**
 * Whether what was received covers the price of the quantity: at least 1% of it at the quoted rate, because the amount
 * due covers the rest, or else all of it at the rate of the order's round, within the tolerance. An order without a
 * payment method, or with one that the sale doesn't have, has no known price. Before there is a sale, only the amount
 * due counts.
 */
export function coversPrice(
  config: Tolerance,
  saleRates: SaleRates,
  { rate, payMethod, roundId, received, fabQty }: Priced,
): boolean {
  if (fabQty === null) return true
  if (rate !== null) return 100n * boughtWith(received, rate) >= parseDecimal(fabQty)
  if (saleRates === null) return payMethod !== ''
  const saleRate = saleRates.rateFor({ payMethod, roundId, amount: received })
  if (saleRate === undefined) return false
  return (
    boughtWith(received, saleRate) >= parseDecimal(fabQty) || isBought(config, received, saleRate, fabQty)
  )
}

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
  const { payMethod = stored.pay_method } = change
  const quoted = change.payMethod === undefined ? stored.rate : null
  const rate = quoted ?? (await readSaleRates(db))?.rateFor({ payMethod, roundId: stored.round_id, amount })
  const isMet = rate === undefined ? stored.rate === null : isBought(config, amount, rate, fabQty)
  if (!isMet) throw refusedField('fabQty', 'differs_from_rate')
}

/** Requires a reason if an entered quantity differs from what the amount buys in the sale. */
export async function requireReasonOffRate(
  db: Tx,
  config: Tolerance,
  { amount = null, fabQty = null, payMethod = '', roundId = null }: OrderChange,
): Promise<void> {
  if (amount === null || fabQty === null) return
  const rate = (await readSaleRates(db))?.rateFor({ payMethod, roundId, amount })
  if (rate !== undefined && !isBought(config, amount, rate, fabQty)) throw refusedField('reason', 'required')
}

/** What limits an order: the sale, if it counts the order, and the round. */
type Capped = { sale: SaleRow | undefined; round: RoundRow | undefined }

/**
 * Returns the number of tokens that an order of the member may have; null if there is no limit. `counted` is the part of
 * the order that counts toward the caps already.
 */
async function findRoom(
  db: Tx,
  { sale, round }: Capped,
  memberId: string,
  counted: string | null = null,
): Promise<bigint | null> {
  const own = parseDecimal(counted ?? '0')
  const rooms = round ? await listRoundRooms(db, round, memberId, own) : []
  if (sale && sale.cap !== null)
    rooms.push(parseDecimal(sale.cap) - parseDecimal((await findSold(db)) ?? '0') + own)
  if (sale && sale.member_cap !== null)
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
  capped: Capped,
  memberId: string,
  fabQty: string | null | undefined,
): Promise<void> {
  const room = await findRoom(db, capped, memberId)
  if (room !== null && fabQty && parseDecimal(fabQty) > room) throw new Refused('cap_reached')
}

/**
 * Does the same as `requireRoom` while the amount can still be changed: the error names the largest amount that fits,
 * if that can be ordered at all.
 */
export async function requireQuotedRoom(
  db: Tx,
  capped: Capped,
  method: PayMethodRow,
  { memberId, fabQty }: { memberId: string; fabQty: string },
): Promise<void> {
  const room = await findRoom(db, capped, memberId)
  if (room === null || parseDecimal(fabQty) <= room) return
  const most = amountFor(method, room, capped.round && bonusOf(capped.round))
  if (most === 0n || most < parseDecimal(method.min_amount)) throw new Refused('cap_reached')
  throw refusedField('amount', 'too_much', { max: shortDecimal(writeDecimal(most)) })
}

/**
 * Enforces the self-pricing restriction: for a day after changing rates, limits, or addresses, a price editor can't
 * order, so that others see the change first. If the sale starts later, the day counts from its start. Any change of
 * any payment method counts, since renaming a method or changing the quote validity also affects prices.
 */
export async function requireNoSelfPricing(db: Tx, memberId: string): Promise<void> {
  if (await hasChangedSale(db, memberId, DAY)) throw new Refused('own_price')
}
