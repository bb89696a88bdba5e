import type { ChainPayment } from '#contract/money/chain-payments.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { Order } from '#contract/money/orders.ts'

/** Whether a payment has arrived or is on its way, so that nobody is asked to pay again. */
export const hasArrived = ({ state }: ChainPayment): boolean => state !== 'awaited' && state !== 'too_little'

/** Received minus due, signed. */
export const differenceOf = ({ due, received }: ChainPayment): string =>
  writeDecimal(parseDecimal(received) - parseDecimal(due))

/** The absolute difference. */
export const amountApart = (payment: ChainPayment): string => differenceOf(payment).replace('-', '')

/** Whether no further change is expected: the order is closed, and everything seen for it is final. */
export const isOver = (payment: ChainPayment, order: Order): boolean =>
  order.status !== 'pending' &&
  (payment.transactions.length === 0 || payment.confirmations >= payment.confirmationsNeeded)

/** Whether anything other than the polling time has changed. */
export const isOtherThan = (now: ChainPayment | null, before: ChainPayment | null | undefined): boolean =>
  JSON.stringify({ ...now, lastLookedAt: null }) !== JSON.stringify({ ...before, lastLookedAt: null })
