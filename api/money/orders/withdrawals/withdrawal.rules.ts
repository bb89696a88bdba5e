import type { WithdrawalAction, RefundBasis } from '#contract/money/console-withdrawals.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { refundDays, type WithdrawalState } from '#contract/money/withdrawals.ts'
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress } from '#contract/platform/chain-address.ts'
import { currencyOf, defaultCurrency } from '#contract/money/orders.ts'
import type { PayChain } from '#contract/money/sale.ts'
import { dayIn } from '../../../platform/text/format-time.ts'
import type { OrderPolicy } from '../../../people/four-eyes/read-policy.ts'
import { takesTwo } from '../four-eyes.ts'
import { refusedField } from '../../../platform/refused.ts'
import type { OrderRow } from '../order.queries.ts'
import { payChainOf } from '../payment.rules.ts'

/**
 * Actions that finance can take in each state. A wrong decision and a recorded refund can be corrected, and an unpaid
 * withdrawal may receive a late payment.
 */
const acts: Record<WithdrawalState, readonly WithdrawalAction[]> = {
  requested: ['accept', 'refuse', 'close'],
  accepted: ['refund', 'close'],
  refused: ['accept'],
  refunded: ['refund'],
  unpaid: ['accept'],
}
export const canDo = (act: WithdrawalAction, state: WithdrawalState): boolean => acts[state].includes(act)

export const openStates = ['requested', 'accepted'] as const satisfies readonly WithdrawalState[]
export const isOpen = (state: WithdrawalState): boolean => (openStates as readonly string[]).includes(state)

/** States in which an order must be neither paid nor completed, because it is or was taken back. */
export const withdrawnStates = [...openStates, 'refunded'] as const satisfies readonly WithdrawalState[]
export const isWithdrawn = (state: WithdrawalState): boolean =>
  (withdrawnStates as readonly string[]).includes(state)

const startOfUtc = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayAfter = (day: string, days: number): string =>
  new Date(startOfUtc(day) + days * DAY).toISOString().slice(0, 10)

/** Returns the first moment of a day: midnight, or the next moment if the clocks skip midnight. */
function startOfDay(timeZone: string, day: string): Date {
  // No time zone is further from UTC than this. Local dates only increase with time, so a binary search finds the first
  // moment.
  let before = startOfUtc(day) - 16 * HOUR
  let within = startOfUtc(day) + 16 * HOUR
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dayIn(timeZone, new Date(middle)) >= day) within = middle
    else before = middle
  }
  return new Date(within)
}

/** Whether the day is a Saturday or Sunday. Public holidays are not considered. */
const isWeekend = (day: string): boolean => [0, 6].includes(new Date(startOfUtc(day)).getUTCDay())

/**
 * Returns the end of a period in calendar days (Regulation (EEC, Euratom) No 1182/71, article 3): the day of the event
 * doesn't count, the last day counts in full, and if that is a Saturday or Sunday, the period ends with the following
 * Monday.
 */
export function endOfPeriod(from: Date, days: number, timeZone: string): { lastDay: string; end: Date } {
  let lastDay = dayAfter(dayIn(timeZone, from), days)
  while (isWeekend(lastDay)) lastDay = dayAfter(lastDay, 1)
  return { lastDay, end: startOfDay(timeZone, dayAfter(lastDay, 1)) }
}

/** Returns when a refund is due. A Sunday does not move it, so that no one waits longer for their money. */
export const endOfRefund = (from: Date, timeZone: string): Date =>
  startOfDay(timeZone, dayAfter(dayIn(timeZone, from), refundDays + 1))

type Terms = { days: number; timeZone: string; tradedSince: string | null }
export type Period = { until: Date; lastDay: string | null }
/** A period with the number of days and the time zone used to describe it. */
export type Promised = Period & Pick<Terms, 'days' | 'timeZone'>

/**
 * Returns the end of the withdrawal period. A request for a canceled order has no period, so its own time counts as the
 * end.
 */
export const endOf = (period: Period | null, now: Date): Date => period?.until ?? now

export const laterOf = (one: Promised | null, other: Promised | null): Promised | null =>
  one && other ? (other.until > one.until ? other : one) : (one ?? other)

/**
 * Returns until when an order placed at `placedAt` can be withdrawn from. There is no right if trading started before
 * it was placed, and it ends with the subscription period of the sale (article 13(4) and (5)).
 */
export function periodOf(
  placedAt: Date,
  { days, timeZone, tradedSince }: Terms,
  closesAt: Date | null,
): Period | null {
  if (days === 0) return null
  if (tradedSince !== null && dayIn(timeZone, placedAt) >= tradedSince) return null
  const { lastDay, end } = endOfPeriod(placedAt, days, timeZone)
  // An order entered after the end belongs to no known subscription period.
  const isCut = closesAt !== null && closesAt > placedAt && closesAt < end
  return isCut ? { until: closesAt, lastDay: null } : { until: end, lastDay }
}

/** Returns when the withdrawal or its order last changed: a decision applies to what its officer saw of both. */
export const versionOf = ({ updated_at: changed }: { updated_at: Date }, orderChanged: Date): Date =>
  orderChanged > changed ? orderChanged : changed

type Known = {
  amount: string | null
  paid_amount: string | null
  /** Amount that the chain shows, as last evaluated; null if the coin isn't monitored or nothing arrived. */
  chain_received: string | null
  /** Final part of that amount. The sender can still replace a payment in the mempool. */
  chain_final: string | null
  /** Whether it arrived at an address that only this order has. */
  is_paid_alone: boolean
  /** Whether finance removed the recorded payment. */
  is_payment_removed: boolean
}

const isSome = (sum: string | null): sum is string => sum !== null && parseDecimal(sum) > 0n

/**
 * Returns the default refund and its source: the amount that finance recorded, else the final amount at the order's own
 * address, even if it is too much, else the amount due. The amount due proves no payment, because anyone can report a
 * transaction. It doesn't apply once finance removed the payment, which may belong to another order.
 */
export function paidSumOf({ amount, paid_amount, chain_final, is_paid_alone, is_payment_removed }: Known): {
  amount: string | null
  amountIs: RefundBasis
} {
  if (isSome(paid_amount)) return { amount: shortDecimal(paid_amount), amountIs: 'received' }
  if (is_paid_alone && isSome(chain_final)) return { amount: shortDecimal(chain_final), amountIs: 'on_chain' }
  // Recorded as zero or removed: a gift, or a payment that never arrived or belongs to another order.
  if (paid_amount !== null || is_payment_removed) return { amount: '0', amountIs: 'received' }
  return { amount: amount === null ? null : shortDecimal(amount), amountIs: 'due' }
}

/** Returns the maximum refund in the coin of the payment: the amount received, or else the amount due. */
export function refundMax(known: Known): string | null {
  const { paid_amount, chain_final, is_paid_alone } = known
  const seen = is_paid_alone && isSome(chain_final) ? chain_final : null
  if (!isSome(paid_amount) || seen === null) return paidSumOf(known).amount
  return shortDecimal(parseDecimal(seen) > parseDecimal(paid_amount) ? seen : paid_amount)
}

/** Symbols such as € remain, because they are all that tells some currencies apart. */
const spelled = (currency: string): string =>
  currency
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{Sc}]/gu, '')

/**
 * Compares currencies without case, spaces, and punctuation, so that a different spelling doesn't count as a different
 * coin.
 */
export const isSameCurrency = (one: string, other: string): boolean => spelled(one) === spelled(other)

type Refunded = {
  amount: string
  /** Whether the refund is in the currency of the payment. */
  isSameCoin: boolean
  due: string | null
  /** Whether the payment left the chain, which shows less than the refund. */
  isMissing: boolean
  /** Received and final amount on chain, or null. */
  seen: string | null
  /** Whether a colleague recorded the received amount. */
  isRecordedByOther: boolean
  /** Whether it replaces a refund that a colleague recorded or proposed. */
  isReplacingOther: boolean
  /** Whether finance rather than the member asked for it. */
  isOpenedByFinance: boolean
}

export type WithdrawalFacts = {
  quantity: string | null
  isSetByStaff: boolean
  /** Whether another order was completed with the same payment. */
  isPaymentDelivered: boolean
  /** Whether a colleague declined or closed the withdrawal. */
  isReversing: boolean
}

/**
 * Whether a step of a withdrawal needs two approvals: because of the largest quantity that its order ever had, because
 * staff entered or changed the order or reduced its payment, because another order was completed with its payment,
 * because it reverses a colleague's decision, because the refund exceeds the amount due or is in another coin, because
 * it replaces the record of a colleague, because finance opened it, or because it rests on the statement of one officer.
 */
export function withdrawalNeedsFourEyes(
  policy: OrderPolicy,
  { quantity, isSetByStaff, isPaymentDelivered, isReversing }: WithdrawalFacts,
  refund: Refunded | null,
): boolean {
  if (policy.twoPersonsFrom === null) return false
  if (isSetByStaff || isPaymentDelivered || isReversing || takesTwo(policy, quantity)) return true
  if (refund === null) return false
  const { amount, isSameCoin, due, isMissing, seen, isRecordedByOther, isReplacingOther } = refund
  if (isReplacingOther || isMissing || refund.isOpenedByFinance) return true
  if (!isSameCoin || due === null || parseDecimal(amount) > parseDecimal(due)) return true
  const isSeen = seen !== null && parseDecimal(amount) <= parseDecimal(seen)
  return !isSeen && !isRecordedByOther
}

/** Whether the refund equals what finance recorded as received, and the chain shows no more than that. */
export function isWhatCame(known: Known, refund: string): boolean {
  const { amount, amountIs } = paidSumOf(known)
  if (amountIs !== 'received' || amount === null) return false
  const seen = parseDecimal(known.chain_received ?? '0')
  return parseDecimal(refund) === parseDecimal(amount) && seen <= parseDecimal(amount)
}

/** Whether the order's payment left the chain, which now shows less than the refund. */
export const isMissingOnChain = (
  seen: { is_gone: boolean; chain_received: string | null },
  refund: string,
): boolean => seen.is_gone && parseDecimal(refund) > parseDecimal(seen.chain_received ?? '0')

/**
 * Returns the chain of the refund address: that of the coin paid with. A payment from a bank account is refunded to
 * that account.
 */
export function refundChainOf(order: Pick<OrderRow, 'pay_chain' | 'pay_method'>): PayChain | null {
  const chain = payChainOf(order)
  const isMoney =
    order.pay_chain === null && chain === 'other' && currencyOf(order.pay_method) === defaultCurrency
  return isMoney ? null : chain
}

/** Returns a refund address of the coin paid with, in the canonical form of its chain. */
export function readRefundAddress(order: OrderRow, given: string): string {
  const chain = refundChainOf(order)
  if (given === '') {
    if (chain !== null) throw refusedField('refundAddress', 'required')
    return ''
  }
  if (chain !== 'bitcoin' && chain !== 'ethereum') return given
  const checked = checkAddress(chain, given, brand.chain)
  if ('problem' in checked) throw refusedField('refundAddress', checked.problem)
  return checked.address
}
