import type { RefundBasis } from '#contract/console-withdrawals.ts'
import { parseDecimal, shortDecimal } from '#contract/decimal.ts'
import type { OrderPolicy } from '../../four-eyes/read-policy.ts'
import { takesTwo } from '../two-persons.ts'

type Known = {
  amount: string | null
  paid_amount: string | null
  /** What the chain has of it, as it was judged last; null where it is not watched, or nothing came. */
  chain_received: string | null
  /** The part of it that is final: what is in the pool, its sender can take back. */
  chain_final: string | null
  /** At an address that only this order has. */
  is_paid_alone: boolean
}

const isSome = (sum: string | null): sum is string => sum !== null && parseDecimal(sum) > 0n

/**
 * What a refund begins with, and how that is known. What was due is no payment: anybody can report a transaction. What finance
 * recorded counts before what is final at an address of its own, and that, also where it is too much, before what was due.
 */
export function paidSumOf({ amount, paid_amount, chain_final, is_paid_alone }: Known): {
  amount: string | null
  amountIs: RefundBasis
} {
  if (isSome(paid_amount)) return { amount: shortDecimal(paid_amount), amountIs: 'received' }
  if (is_paid_alone && isSome(chain_final)) return { amount: shortDecimal(chain_final), amountIs: 'on_chain' }
  // Recorded as nothing: a gift, or a payment that never came.
  if (paid_amount !== null) return { amount: '0', amountIs: 'received' }
  return { amount: amount === null ? null : shortDecimal(amount), amountIs: 'due' }
}

/** The most that can be refunded in the coin of the payment: what was received, or else what was due. */
export function refundMax(known: Known): string | null {
  const { paid_amount, chain_final, is_paid_alone } = known
  const seen = is_paid_alone && isSome(chain_final) ? chain_final : null
  if (!isSome(paid_amount) || seen === null) return paidSumOf(known).amount
  return shortDecimal(parseDecimal(seen) > parseDecimal(paid_amount) ? seen : paid_amount)
}

type Refunded = {
  amount: string
  /** The currency of the payment. */
  isSameCoin: boolean
  due: string | null
  /** What the chain shows as received and final, or null. */
  seen: string | null
  /** A colleague recorded what was received. */
  isRecordedByOther: boolean
}

/** Whether a step of a withdrawal takes two people: by the largest quantity that its order ever had, or because the refund rests on the word of one. */
export function withdrawalTakesTwo(
  policy: OrderPolicy,
  quantity: string | null,
  refund: Refunded | null,
): boolean {
  if (policy.twoPersonsFrom === null) return false
  if (takesTwo(policy, quantity)) return true
  if (refund === null) return false
  const { amount, isSameCoin, due, seen, isRecordedByOther } = refund
  if (!isSameCoin || due === null || parseDecimal(amount) > parseDecimal(due)) return true
  const isSeen = seen !== null && parseDecimal(amount) <= parseDecimal(seen)
  return !isSeen && !isRecordedByOther
}

/** Whether the refund is what finance recorded as received, and the chain knows of no more. */
export function isWhatCame(known: Known, refund: string): boolean {
  const { amount, amountIs } = paidSumOf(known)
  if (amountIs !== 'received' || amount === null) return false
  const seen = parseDecimal(known.chain_received ?? '0')
  return parseDecimal(refund) === parseDecimal(amount) && seen <= parseDecimal(amount)
}
