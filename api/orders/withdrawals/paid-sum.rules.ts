import type { RefundBasis } from '#contract/console-withdrawals.ts'
import { parseDecimal, shortDecimal } from '#contract/decimal.ts'

type Known = {
  amount: string | null
  paid_amount: string | null
  /** What the chain has of it, as it was judged last; null where it is not watched, or nothing came. */
  chain_received: string | null
  /** At an address that only this order has. */
  is_paid_alone: boolean
}

const isSome = (sum: string | null): sum is string => sum !== null && parseDecimal(sum) > 0n

/**
 * What a refund begins with, and how that is known. What was due is no payment: anybody can report a transaction. What finance
 * recorded counts before what the chain shows at an address of its own, and that, also where it is too much, before what was due.
 */
export function paidSumOf({ amount, paid_amount, chain_received, is_paid_alone }: Known): {
  amount: string | null
  amountIs: RefundBasis
} {
  if (isSome(paid_amount)) return { amount: shortDecimal(paid_amount), amountIs: 'received' }
  if (is_paid_alone && isSome(chain_received))
    return { amount: shortDecimal(chain_received), amountIs: 'on_chain' }
  return { amount: amount === null ? null : shortDecimal(amount), amountIs: 'due' }
}

/** Whether the refund is what finance recorded as received, and the chain knows of no more. */
export function isWhatCame(known: Known, refund: string): boolean {
  const { amount, amountIs } = paidSumOf(known)
  if (amountIs !== 'received' || amount === null) return false
  const seen = parseDecimal(known.chain_received ?? '0')
  return parseDecimal(refund) === parseDecimal(amount) && seen <= parseDecimal(amount)
}
