import type { ChainPayment } from '#contract/chain-payments.ts'
import { parseDecimal, writeDecimal } from '#contract/decimal.ts'
import type { Order } from '#contract/orders.ts'

/** Something is on its way or there: nobody is to pay it again. */
export const hasArrived = ({ state }: ChainPayment): boolean => state !== 'awaited' && state !== 'too_little'

/** Received less due, with its sign. */
export const differenceOf = ({ due, received }: ChainPayment): string =>
  writeDecimal(parseDecimal(received) - parseDecimal(due))

/** By how much they differ. */
export const amountApart = (payment: ChainPayment): string => differenceOf(payment).replace('-', '')

/** Nothing more is to be expected: the order is closed, and what was seen for it is as certain as it gets. */
export const isOver = (payment: ChainPayment, order: Order): boolean =>
  order.status !== 'pending' &&
  (payment.transactions.length === 0 || payment.confirmations >= payment.confirmationsNeeded)

/** Whether it says something else, and not only that it was looked at again. */
export const isOtherThan = (now: ChainPayment | null, before: ChainPayment | null | undefined): boolean =>
  JSON.stringify({ ...now, lastLookedAt: null }) !== JSON.stringify({ ...before, lastLookedAt: null })
