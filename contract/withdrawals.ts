import * as z from 'zod/mini'
import { endpoint, member, selfOrStaff } from './endpoint.ts'
import { id, line, time } from './fields.ts'
import { addressLengthMax } from './orders.ts'
import { payChains } from './sale.ts'

/** Regulation (EU) 2023/1114, article 13(2): what was paid goes back within so many days of the withdrawal. */
export const refundDays = 14
export const withdrawalNoteLengthMax = 500

/** `unpaid`: nothing had been paid, or nothing arrived, so that the order was cancelled and nothing is to be refunded. */
export const withdrawalStates = ['requested', 'accepted', 'refused', 'refunded', 'unpaid'] as const
export type WithdrawalState = (typeof withdrawalStates)[number]

export const refund = z.object({
  amount: z.string(),
  /** What the amount is counted in. */
  currency: z.string(),
  txId: z.string(),
  /** The day on which it was sent, `2036-05-01`. */
  paidOn: z.string(),
})
export type Refund = z.infer<typeof refund>

export const withdrawal = z.object({
  id,
  reference: z.string(),
  state: z.enum(withdrawalStates),
  requestedAt: time,
  /** Until when what was paid is to be refunded. */
  refundBefore: time,
  /** Where to; empty for the account that it came from, and where none was given for what was unpaid. */
  refundAddress: z.string(),
  note: z.string(),
  /** What finance said to its member: always where it was refused. */
  reason: z.string(),
  decidedAt: z.nullable(time),
  refund: z.nullable(refund),
})
export type Withdrawal = z.infer<typeof withdrawal>

/** Whether and until when the member can withdraw from an order, and what became of it. */
export const withdrawalRight = z.object({
  orderId: id,
  memberId: id,
  /** The calendar days of this installation; 0 where it gives no such right. */
  days: z.number(),
  /** In which a day begins and ends. */
  timeZone: z.string(),
  /** The moment after which it is too late; null where there is no such right. */
  until: z.nullable(time),
  /** The day whose end that is; null where the sale ends before. */
  lastDay: z.nullable(z.string()),
  canRequest: z.boolean(),
  /** Nothing was paid: then nothing is refunded, and where to may be left out. */
  isUnpaid: z.boolean(),
  /** Of the address to refund to; null where it goes back to an account. */
  refundChain: z.nullable(z.enum(payChains)),
  withdrawal: z.nullable(withdrawal),
})
export type WithdrawalRight = z.infer<typeof withdrawalRight>

export const getWithdrawalRight = endpoint('GET', 'icotx/:id/withdrawal', {
  about: 'Whether its member can withdraw from an order, until when, and what became of their withdrawal.',
  access: selfOrStaff('finance', 1),
  recordsReading: 'order',
  params: z.strictObject({ id }),
  output: withdrawalRight,
  errors: ['not_found'],
})

/**
 * No reasons are asked for. An order that is not paid is cancelled at once. Asked for again it answers the withdrawal that
 * there is; after it was refused, after the period, and of a cancelled order it is a `conflict`.
 */
export const requestWithdrawal = endpoint('POST', 'icotx/:id/withdraw', {
  about:
    'Withdraw from one’s own order within its period. Takes fresh proof, because it says where money goes.',
  access: member,
  params: z.strictObject({ id }),
  body: z.strictObject({
    refundAddress: z.optional(line(addressLengthMax)),
    note: z.optional(line(withdrawalNoteLengthMax)),
  }),
  output: withdrawal,
  errors: ['not_found', 'conflict', 'step_up_required'],
})
