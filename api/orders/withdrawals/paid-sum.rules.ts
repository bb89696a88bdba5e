import type { RefundBasis } from '#contract/console-withdrawals.ts'
import { parseDecimal, shortDecimal } from '#contract/decimal.ts'
import type { OrderPolicy } from '../../four-eyes/read-policy.ts'
import { takesTwo } from '../four-eyes.ts'

type Known = {
  amount: string | null
  paid_amount: string | null
  /** Amount that the chain shows, as last evaluated; null if the coin isn't monitored or nothing arrived. */
  chain_received: string | null
  /** Final part of that amount. The sender can still replace a payment in the mempool. */
  chain_final: string | null
  /** Whether it arrived at an address that only this order has. */
  is_paid_alone: boolean
}

const isSome = (sum: string | null): sum is string => sum !== null && parseDecimal(sum) > 0n

/**
 * Returns the default refund and its source: the amount that finance recorded, else the final amount at the order's own
 * address, even if it is too much, else the amount due. The amount due proves no payment, because anyone can report a
 * transaction.
 */
export function paidSumOf({ amount, paid_amount, chain_final, is_paid_alone }: Known): {
  amount: string | null
  amountIs: RefundBasis
} {
  if (isSome(paid_amount)) return { amount: shortDecimal(paid_amount), amountIs: 'received' }
  if (is_paid_alone && isSome(chain_final)) return { amount: shortDecimal(chain_final), amountIs: 'on_chain' }
  // Recorded as zero: a gift, or a payment that never arrived.
  if (paid_amount !== null) return { amount: '0', amountIs: 'received' }
  return { amount: amount === null ? null : shortDecimal(amount), amountIs: 'due' }
}

/** Returns the maximum refund in the coin of the payment: the amount received, or else the amount due. */
export function refundMax(known: Known): string | null {
  const { paid_amount, chain_final, is_paid_alone } = known
  const seen = is_paid_alone && isSome(chain_final) ? chain_final : null
  if (!isSome(paid_amount) || seen === null) return paidSumOf(known).amount
  return shortDecimal(parseDecimal(seen) > parseDecimal(paid_amount) ? seen : paid_amount)
}

const spelled = (currency: string): string =>
  currency
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

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

/**
 * Whether a step of a withdrawal needs two approvals: because of the largest quantity that its order ever had, because
 * the refund exceeds the amount due or is in another coin, because it replaces the record of a colleague, because
 * finance opened it, or because it rests on the statement of one officer.
 */
export function withdrawalNeedsFourEyes(
  policy: OrderPolicy,
  quantity: string | null,
  refund: Refunded | null,
): boolean {
  if (policy.twoPersonsFrom === null) return false
  if (takesTwo(policy, quantity)) return true
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
