import * as z from 'zod/mini'
import { decimal } from './decimal.ts'
import { endpoint, staff } from './endpoint.ts'
import { day, id, line, page, requiredLine, time, requiredReason, reasonLine } from './fields.ts'
import { currencyLengthMax, orderReasonLengthMax, orderStates, txIdLengthMax } from './orders.ts'
import { payChains } from './sale.ts'
import { getWithdrawalRight, refund, requestWithdrawal, withdrawal, withdrawalStates } from './withdrawals.ts'

export const withdrawalSorts = ['requested', '-requested', 'due', '-due'] as const
export type WithdrawalSort = (typeof withdrawalSorts)[number]

/** `open`: requested or accepted. `overdue`: so, and its time to refund is over. */
export const withdrawalFlags = ['open', 'overdue'] as const
export type WithdrawalFlag = (typeof withdrawalFlags)[number]

/** `q` is the beginning of the reference of a withdrawal or of its order, or the whole e-mail address of a member. */
const filters = {
  q: z.optional(line(254)),
  state: z.optional(z.enum(withdrawalStates, 'one_of')),
  flag: z.optional(z.enum(withdrawalFlags, 'one_of')),
  coin: z.optional(line(currencyLengthMax)),
  from: z.optional(day),
  to: z.optional(day),
  sort: z.optional(z.enum(withdrawalSorts, 'one_of')),
}
export const withdrawalFilters = z.strictObject(filters)
export type WithdrawalFilters = z.infer<typeof withdrawalFilters>

/**
 * What an amount says: what finance recorded as received; what the chain shows, without such a record; or what was due, where nothing
 * is known to have come.
 */
export const refundBases = ['received', 'on_chain', 'due'] as const
export type RefundBasis = (typeof refundBases)[number]

/** Flags of the order that are dealt with before a withdrawal is accepted or refunded, by their names in `updateOrder`. */
export const unsettledFlags = ['disputed', 'reportedLate'] as const
export type UnsettledFlag = (typeof unsettledFlags)[number]

const listed = {
  id,
  reference: z.string(),
  orderId: id,
  orderReference: z.string(),
  orderStatus: z.enum(orderStates),
  memberId: id,
  memberEmail: z.string(),
  state: z.enum(withdrawalStates),
  isOverdue: z.boolean(),
  /** What was received for the order, or else what was due: `amountIs` says which. */
  amount: z.nullable(z.string()),
  amountIs: z.enum(refundBases),
  currency: z.string(),
  requestedAt: time,
  refundBefore: time,
  refund: z.nullable(refund),
}
export const consoleWithdrawal = z.object(listed)
export type ConsoleWithdrawal = z.infer<typeof consoleWithdrawal>

export const listConsoleWithdrawals = endpoint('GET', 'admin/withdrawals', {
  about: 'Withdrawals from orders by state, flag, coin, day, reference or member, in the order asked for.',
  access: staff('finance', 1),
  recordsReading: 'order',
  query: z.strictObject({
    ...filters,
    ...page.shape,
  }),
  output: z.array(consoleWithdrawal),
})

const file = {
  access: staff('finance', 1),
  recordsReading: 'order',
  query: withdrawalFilters,
  output: z.unknown(),
  answersBytes: true,
  answersAlso: 'text/csv',
  errors: ['step_up_required'],
} as const

export const exportConsoleWithdrawals = endpoint('GET', 'admin/withdrawals/csv', {
  about: 'The list of withdrawals as CSV, all pages. Takes fresh proof.',
  ...file,
})

/** The columns are a promise to programs that read them: new ones are added at the end. */
export const exportRefundAccounts = endpoint('GET', 'admin/withdrawals/accounting', {
  about:
    'One line for each refund with exact decimals, times of UTC and who recorded it, for the books. Takes fresh proof.',
  ...file,
})

/** What finance can do with a withdrawal. */
export const withdrawalActs = ['accept', 'refuse', 'refund', 'close'] as const
export type WithdrawalAct = (typeof withdrawalActs)[number]

const colleague = z.nullable(z.object({ id, name: z.string() }))

export const consoleWithdrawalDetail = z.object({
  ...listed,
  /** As its member sees it. */
  withdrawal,
  /** Of the address to refund to; null where it goes back to an account. Without an address its member is asked for one. */
  refundChain: z.nullable(z.enum(payChains)),
  /** Until when it could be requested, as it was then. */
  until: time,
  decidedBy: colleague,
  refundedBy: colleague,
  /** Why the caller cannot act on it. */
  forbids: z.nullable(z.enum(['own', 'own_transaction'])),
  /** While there are any it is neither accepted nor refunded. */
  unsettled: z.array(z.enum(unsettledFlags)),
  /** What the chain has of it, as it was judged last; null where it is not watched, or nothing came. */
  seenOnChain: z.nullable(z.string()),
  /** Its payment is, or was, that of another order as well: a refund takes a reason. */
  isPaymentShared: z.boolean(),
  takesTwo: z.boolean(),
  /** The first of two. It counts no more where they have lost the right since, or three days are over. */
  proposal: z.nullable(
    z.object({
      by: z.object({ id, name: z.string() }),
      at: time,
      act: z.enum(withdrawalActs),
      reason: z.string(),
      refund: z.nullable(refund),
      counts: z.boolean(),
    }),
  ),
  updatedAt: time,
})
export type ConsoleWithdrawalDetail = z.infer<typeof consoleWithdrawalDetail>

export const getConsoleWithdrawal = endpoint('GET', 'admin/orders/:id/withdrawal', {
  about: 'The withdrawal from an order, or null, and what the caller can do with it.',
  access: staff('finance', 1),
  recordsReading: 'order',
  params: z.strictObject({ id }),
  output: z.object({ orderId: id, memberId: id, withdrawal: z.nullable(consoleWithdrawalDetail) }),
  errors: ['not_found'],
})

const act = {
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  output: consoleWithdrawalDetail,
  errors: ['not_found', 'conflict', 'step_up_required'],
} as const
const reason = z.optional(reasonLine(orderReasonLengthMax))
const updatedAt = z.optional(time)

/**
 * With an `updatedAt` that is not the stored one nothing is written. While a flag of the order is open, it is neither accepted nor
 * refunded: `conflict`, as completing it would be. Above the threshold of orders the first voice is a
 * proposal, and somebody else’s for the same makes it so. A pending order is cancelled by it; a completed one stays completed.
 */
export const acceptWithdrawal = endpoint('POST', 'admin/withdrawals/:id/accept', {
  about: 'Accept a member’s withdrawal from their order. The member is told.',
  ...act,
  body: z.strictObject({ reason, updatedAt }),
})

export const refuseWithdrawal = endpoint('POST', 'admin/withdrawals/:id/refuse', {
  about: 'Refuse a withdrawal to which its member has no right. The member is told the reason.',
  ...act,
  body: z.strictObject({ reason: requiredReason(orderReasonLengthMax), updatedAt }),
})

/**
 * Anything but what finance recorded as received takes a reason: another amount or coin, a payment that nobody recorded, or that
 * another order has as well. So does the correction of what was recorded, which also requires the `updatedAt` that was read: `conflict`
 * without it, so that concurrent corrections don't overwrite each other.
 */
export const recordRefund = endpoint('POST', 'admin/withdrawals/:id/refund', {
  about: 'Record what was sent back for an accepted withdrawal. The member is told.',
  ...act,
  body: z.strictObject({
    amount: decimal,
    currency: z.optional(requiredLine(currencyLengthMax)),
    txId: requiredLine(txIdLengthMax),
    paidOn: day,
    reason,
    updatedAt,
  }),
})

/** `conflict` where something is recorded as received: that is refunded. */
export const closeWithdrawal = endpoint('POST', 'admin/withdrawals/:id/close', {
  about:
    'Close a withdrawal for which nothing was received: nothing is refunded. The member is told the reason.',
  ...act,
  body: z.strictObject({ reason: requiredReason(orderReasonLengthMax), updatedAt }),
})

/** Of members and of staff, in the order of the list of all calls. */
export const withdrawalCalls = {
  getWithdrawalRight,
  requestWithdrawal,
  listConsoleWithdrawals,
  exportConsoleWithdrawals,
  exportRefundAccounts,
  getConsoleWithdrawal,
  acceptWithdrawal,
  refuseWithdrawal,
  recordRefund,
  closeWithdrawal,
}
