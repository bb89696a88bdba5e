import * as z from 'zod/mini'
import { decimal } from './decimal.ts'
import { endpoint, staff } from './endpoint.ts'
import { day, id, line, requiredLine, time, requiredReason, reasonLine, waitingFor } from './fields.ts'
import { resource, sortedBy, type FiltersOf } from './resource.ts'
import { currencyLengthMax, orderReasonLengthMax, orderStates, txIdLengthMax } from './orders.ts'
import { payChains } from './sale.ts'
import { refund, withdrawal, withdrawalStates } from './withdrawals.ts'

/** `open`: requested or accepted. `overdue`: open past the refund deadline. */
export const withdrawalFlags = ['open', 'overdue'] as const
export type WithdrawalFlag = (typeof withdrawalFlags)[number]

/**
 * Source of an amount: recorded as received by finance; seen on chain, if nothing was recorded; or the amount
 * due, if no payment is known.
 */
export const refundBases = ['received', 'on_chain', 'due'] as const
export type RefundBasis = (typeof refundBases)[number]

/** Flags of the order that block accepting or refunding a withdrawal, named as in `updateOrder`. */
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
  /** Amount received for the order, or else the amount due. `amountIs` tells which. */
  amount: z.nullable(z.string()),
  amountIs: z.enum(refundBases),
  currency: z.string(),
  requestedAt: time,
  refundBefore: time,
  refund: z.nullable(refund),
}
export const consoleWithdrawal = z.object(listed)
export type ConsoleWithdrawal = z.infer<typeof consoleWithdrawal>

/** `q` is the beginning of the reference of a withdrawal or its order, or the whole email address of a member. */
export const withdrawals = resource({
  path: 'admin/withdrawals',
  name: 'withdrawals',
  about: 'Withdrawals from orders by state, flag, coin, day, reference or member, in the order asked for.',
  access: staff('finance', 1),
  recordsReading: 'order',
  row: consoleWithdrawal,
  filters: {
    q: z.optional(line(254)),
    state: z.optional(z.enum(withdrawalStates, 'one_of')),
    flag: z.optional(z.enum(withdrawalFlags, 'one_of')),
    waitingFor,
    coin: z.optional(line(currencyLengthMax)),
    from: z.optional(day),
    to: z.optional(day),
    sort: sortedBy('requested', '-requested', 'due', '-due'),
  },
  palette: { without: 'A withdrawal is shown on the page of its order, which the palette finds.' },
  file: { about: 'The list of withdrawals as CSV, all pages. Takes fresh proof.' },
})
export const { list: listConsoleWithdrawals, file: exportConsoleWithdrawals } = withdrawals
export type WithdrawalFilters = FiltersOf<typeof withdrawals>

/** Programs rely on these columns: add new ones at the end only. */
export const exportRefundAccounts = endpoint('GET', 'admin/withdrawals/accounting', {
  ...exportConsoleWithdrawals,
  about:
    'One line for each refund with exact decimals, times of UTC and who recorded it, for the books. Takes fresh proof.',
})

/** Actions that finance can take on a withdrawal. */
export const withdrawalActs = ['accept', 'refuse', 'refund', 'close'] as const
export type WithdrawalAct = (typeof withdrawalActs)[number]

const colleague = z.nullable(z.object({ id, name: z.string() }))

export const consoleWithdrawalDetail = z.object({
  ...listed,
  /** As the member sees it. */
  withdrawal,
  /**
   * Chain of the refund address; null if the refund goes to an account. If the address is missing, the member
   * is asked for one.
   */
  refundChain: z.nullable(z.enum(payChains)),
  /** The withdrawal deadline at the time of the order. */
  until: time,
  decidedBy: colleague,
  refundedBy: colleague,
  /** Why the caller cannot act on it. */
  forbids: z.nullable(z.enum(['own', 'own_transaction'])),
  /** While there are any, it can be neither accepted nor refunded. */
  unsettled: z.array(z.enum(unsettledFlags)),
  /** Amount seen on chain at the last evaluation; null if the chain is not watched or nothing arrived. */
  seenOnChain: z.nullable(z.string()),
  /** Its payment is or was also assigned to another order, so a refund requires a reason. */
  isPaymentShared: z.boolean(),
  takesTwo: z.boolean(),
  /**
   * The first of two approvals. It no longer counts once its author has lost the right or three days have
   * passed.
   */
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
 * Writes nothing if `updatedAt` is not the stored one. While a flag of the order is open, accepting or
 * refunding returns `conflict`, as completing does. Above the four-eyes threshold for orders, the first
 * approval creates a proposal, and the same decision by someone else takes effect. Accepting cancels a pending
 * order; a completed one stays completed.
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
 * A reason is required if the refund differs from what finance recorded as received: another amount or coin, a
 * payment that was not recorded, or one that another order has as well. Correcting the recorded amount also
 * requires a reason, and the `updatedAt` that was read: without it the answer is `conflict`, so that concurrent
 * corrections don't overwrite each other.
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

/** `conflict` if a payment was recorded as received, because it must be refunded. */
export const closeWithdrawal = endpoint('POST', 'admin/withdrawals/:id/close', {
  about:
    'Close a withdrawal for which nothing was received: nothing is refunded. The member is told the reason.',
  ...act,
  body: z.strictObject({ reason: requiredReason(orderReasonLengthMax), updatedAt }),
})
