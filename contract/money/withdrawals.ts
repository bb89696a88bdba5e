import * as z from 'zod/mini'
import { endpoint, member, selfOrStaff } from '../platform/endpoint.ts'
import { addressLengthMax, id, line, time } from '../platform/fields.ts'
import { payChains } from './sale.ts'

/**
 * Regulation (EU) 2023/1114, article 13(2): payments must be refunded within this many days of the withdrawal.
 */
export const refundDays = 14
const withdrawalNoteLengthMax = 500

/** `unpaid`: nothing was paid or nothing arrived, so the order was cancelled without a refund. */
export const withdrawalStates = ['requested', 'accepted', 'refused', 'refunded', 'unpaid'] as const
export type WithdrawalState = (typeof withdrawalStates)[number]

export const refund = z.object({
  amount: z.string(),
  /** Unit of the amount. */
  currency: z.string(),
  txId: z.string(),
  /** The day on which the refund was sent, `2036-05-01`. */
  paidOn: z.string(),
})
export type Refund = z.infer<typeof refund>

export const withdrawal = z.object({
  id,
  reference: z.string(),
  state: z.enum(withdrawalStates),
  requestedAt: time,
  /** Deadline for the refund. */
  refundBefore: time,
  /**
   * Refund address. Empty if the refund goes to the account that paid, or if nothing was paid and no address was given.
   */
  refundAddress: z.string(),
  note: z.string(),
  /** Finance's message to the member. Always set if the withdrawal was refused. */
  reason: z.string(),
  decidedAt: z.nullable(time),
  refund: z.nullable(refund),
})
export type Withdrawal = z.infer<typeof withdrawal>

/** Whether and until when the member can withdraw from an order, and the status of a withdrawal. */
const withdrawalRight = z.object({
  orderId: id,
  memberId: id,
  /** Calendar days set for this installation; 0 if it grants no such right. */
  days: z.number(),
  /** Time zone in which days begin and end. */
  timeZone: z.string(),
  /** The end of the withdrawal period; null if there is no such right. */
  until: z.nullable(time),
  /** The last day of the period; null if the sale ends earlier. */
  lastDay: z.nullable(z.string()),
  /** Also true if finance started the refund, and the member can still enter the refund address. */
  canRequest: z.boolean(),
  /** Whether nothing was paid, so that there is no refund and the refund address is optional. */
  isUnpaid: z.boolean(),
  /** Chain of the refund address; null if the refund goes to an account. */
  refundChain: z.nullable(z.enum(payChains)),
  withdrawal: z.nullable(withdrawal),
})
export type WithdrawalRight = z.infer<typeof withdrawalRight>

export const getWithdrawalRight = endpoint('GET', 'icotx/:id/withdrawal', {
  about:
    'Get whether the member can withdraw from an order, until when, and the status of an existing withdrawal.',
  access: selfOrStaff('finance', 1),
  auditsAccess: 'order',
  params: z.strictObject({ id }),
  output: withdrawalRight,
  errors: ['not_found'],
})

/**
 * No reason is required. An unpaid order is canceled immediately. If finance started the refund, or its address is
 * missing, the address in the request replaces it until the refund is recorded. A repeated request returns the existing
 * withdrawal. With another address or note, after a refusal, after the withdrawal period, and for a canceled order, the
 * response is `conflict`. If money was received for a canceled order, its refund can be requested again after a refusal,
 * at most 3 times in 30 days (`rate_limited`).
 */
export const requestWithdrawal = endpoint('POST', 'icotx/:id/withdraw', {
  about:
    'Withdraw from the caller’s own order within the withdrawal period. Requires step-up authentication, because the request contains the refund address.',
  access: member,
  params: z.strictObject({ id }),
  body: z.strictObject({
    refundAddress: z.optional(line(addressLengthMax)),
    note: z.optional(line(withdrawalNoteLengthMax)),
  }),
  output: withdrawal,
  errors: ['not_found', 'conflict', 'step_up_required', 'rate_limited'],
})
