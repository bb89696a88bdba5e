import * as z from 'zod/mini'
import { decimal } from '../platform/decimal.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import {
  addressLengthMax,
  day,
  id,
  line,
  requiredLine,
  time,
  requiredReason,
  reasonLine,
  waitingFor,
} from '../platform/fields.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'
import { currencyLengthMax, order, orderReasonLengthMax, orderStates, txIdLengthMax } from './orders.ts'
import { payChains } from './sale.ts'
import { refund, withdrawal, withdrawalStates } from './withdrawals.ts'

/** `open`: requested or accepted. `overdue`: open past the refund deadline. */
export const withdrawalFlags = ['open', 'overdue'] as const

/**
 * Source of an amount: recorded as received by finance, seen on chain if nothing was recorded, or the amount due if no
 * payment is known.
 */
const refundBases = ['received', 'on_chain', 'due'] as const
export type RefundBasis = (typeof refundBases)[number]

/**
 * What blocks every action on a withdrawal: flags of the order, named as in `updateOrder`, and `payment` if a
 * statement shows that its payment went back.
 */
const unresolvedFlags = ['disputed', 'reportedLate', 'payment'] as const

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
  /** Amount received for the order, otherwise the amount due, as stated by `amountIs`. */
  amount: z.nullable(z.string()),
  amountIs: z.enum(refundBases),
  currency: z.string(),
  requestedAt: time,
  refundBefore: time,
  refund: z.nullable(refund),
}
const consoleWithdrawal = z.object(listed)
export type ConsoleWithdrawal = z.infer<typeof consoleWithdrawal>

/** `q` is the beginning of the reference of a withdrawal or its order, or a member's complete email address. */
export const withdrawals = resource({
  path: 'admin/withdrawals',
  name: 'withdrawals',
  about:
    'List withdrawals from orders, filtered by status, flag, coin, day, reference, or member, in the requested order.',
  access: staff('finance', 1),
  auditsAccess: 'order',
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
  file: { about: 'Export the list of withdrawals as CSV, all pages. Requires step-up authentication.' },
})
export const { list: listConsoleWithdrawals, file: exportConsoleWithdrawals } = withdrawals
export type WithdrawalFilters = FiltersOf<typeof withdrawals>

/** Other programs depend on the order of these columns, so add new ones at the end only. */
export const exportRefundAccounts = endpoint('GET', 'admin/withdrawals/accounting', {
  ...exportConsoleWithdrawals,
  about:
    'Export one line per refund for accounting, with exact decimals, UTC times, and the person who recorded it. Requires step-up authentication.',
})

/** Actions that finance can take on a withdrawal. */
const withdrawalActions = ['accept', 'refuse', 'refund', 'close'] as const
export type WithdrawalAction = (typeof withdrawalActions)[number]

const colleague = z.nullable(z.object({ id, name: z.string() }))

const consoleWithdrawalDetail = z.object({
  ...listed,
  /** The withdrawal as the member sees it. */
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
  /** While there are any, no one can act on the withdrawal. */
  unsettled: z.array(z.enum(unresolvedFlags)),
  /** Amount seen on chain at the last check. Null if the chain is not monitored or nothing was received. */
  seenOnChain: z.nullable(z.string()),
  /**
   * Its payment is or was also assigned to another order, so a refund requires a reason. This also applies if finance
   * confirmed for either order that the payment covers both.
   */
  isPaymentShared: z.boolean(),
  /**
   * Whether every action requires four-eyes approval. This includes orders whose payment also completed another order,
   * unless the chain shows that the transaction paid each of them at its own address.
   */
  takesTwo: z.boolean(),
  /** Whether someone else recorded its refund, so that the caller can replace it only with four-eyes approval. */
  replaceTakesTwo: z.boolean(),
  /**
   * The first of two approvals. It no longer counts once its author has lost the required right or has an interest in
   * the order, the order has changed, or three days have passed.
   */
  proposal: z.nullable(
    z.object({
      by: z.object({ id, name: z.string() }),
      at: time,
      act: z.enum(withdrawalActions),
      reason: z.string(),
      refund: z.nullable(refund),
      counts: z.boolean(),
    }),
  ),
  /** When the withdrawal or its order last changed. */
  updatedAt: time,
})
export type ConsoleWithdrawalDetail = z.infer<typeof consoleWithdrawalDetail>

export const getConsoleWithdrawal = endpoint('GET', 'admin/orders/:id/withdrawal', {
  about:
    'Get the withdrawal from an order, or null if there is none, and the actions available to the caller.',
  access: staff('finance', 1),
  auditsAccess: 'order',
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
 * Writes nothing if `updatedAt` is not the stored value. While a flag of the order is unresolved, accepting or
 * refunding returns `conflict`, as completing the order does. Above the four-eyes threshold for orders, the first
 * approval creates a proposal, which takes effect when someone else makes the same decision. Accepting cancels a
 * pending order; a completed order stays completed.
 */
/**
 * Starts a withdrawal for a member who can't or doesn't withdraw. Without an address, the member is asked for one. An
 * order without a payment, a completed order, and an order with a withdrawal result in `conflict`.
 */
export const openRefund = endpoint('POST', 'admin/orders/:id/refund', {
  about:
    'Start the refund of a payment received for another member’s order that isn’t completed, with a reason. It is decided like a withdrawal; while four-eyes approval is on, recording the refund always requires it. The member is notified.',
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({
    refundAddress: z.optional(line(addressLengthMax)),
    reason: requiredReason(orderReasonLengthMax),
    updatedAt: z.optional(time),
  }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const acceptWithdrawal = endpoint('POST', 'admin/withdrawals/:id/accept', {
  about: 'Accept a member’s withdrawal from their order. The member is notified.',
  ...act,
  body: z.strictObject({ reason, updatedAt }),
})

export const refuseWithdrawal = endpoint('POST', 'admin/withdrawals/:id/refuse', {
  about: 'Refuse a withdrawal that the member has no right to. The member is notified of the reason.',
  ...act,
  body: z.strictObject({ reason: requiredReason(orderReasonLengthMax), updatedAt }),
})

/**
 * A reason is required if the refund differs from the recorded payment: another amount or coin, a payment that was not
 * recorded, or one that is or was also assigned to another order. Correcting the recorded amount also requires a reason and
 * the `updatedAt` that was read; without it the response is `conflict`, so that concurrent corrections do not overwrite
 * each other.
 */
export const recordRefund = endpoint('POST', 'admin/withdrawals/:id/refund', {
  about: 'Record the refund for an accepted withdrawal. The member is notified.',
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

/** Returns `conflict` if a payment was recorded as received, because it must be refunded. */
export const closeWithdrawal = endpoint('POST', 'admin/withdrawals/:id/close', {
  about:
    'Close a withdrawal from an order for which no payment was received. Nothing is refunded. The member is notified of the reason.',
  ...act,
  body: z.strictObject({ reason: requiredReason(orderReasonLengthMax), updatedAt }),
})
