import * as z from 'zod/mini'
import { endpoint, member } from '../platform/endpoint.ts'
import { id, time } from '../platform/fields.ts'
import { displayRates } from './display-rates.ts'
import { kycState } from '../people/kyc.ts'

/**
 * What a pending order is waiting for. `pay`: the payment. `rest`: the missing part of it. `dropped`: another payment,
 * because the network dropped the first one. `overdue`: its cancellation, because the deadline has passed. `confirm`:
 * confirmations. `verify`: finance to check the payment. `unpayable`: finance to set the receiving address or the amount.
 */
export const openOrderStates = [
  'pay',
  'rest',
  'dropped',
  'overdue',
  'confirm',
  'verify',
  'unpayable',
] as const
export type OpenOrderState = (typeof openOrderStates)[number]

/** Maximum number of pending orders, and of open withdrawals, in the response. */
export const openOrdersMax = 5

const openOrder = z.object({
  id,
  reference: z.string(),
  state: z.enum(openOrderStates),
  /** Payment deadline, while the order is waiting for a payment. */
  payBefore: z.nullable(time),
})
export type OpenOrder = z.infer<typeof openOrder>

const openWithdrawal = z.object({
  orderId: id,
  reference: z.string(),
  isAccepted: z.boolean(),
  refundBefore: time,
  /** Whether the refund needs an address that only the member can enter. */
  isAddressMissing: z.boolean(),
})
export type OpenWithdrawal = z.infer<typeof openWithdrawal>

export const memberHome = z.object({
  /** `refused`: the mailbox rejects emails. */
  email: z.enum(['confirmed', 'unconfirmed', 'refused']),
  hasSecondFactor: z.boolean(),
  identity: z.object({
    status: kycState,
    /** ID of the newest application, for messages about it. */
    applicationId: z.nullable(id),
    /** Whether the newest application was rejected finally, so that no further one is accepted. */
    isFinal: z.boolean(),
    /** 90th percentile of the review time in hours, while a review is running. */
    usualHours: z.nullable(z.number()),
  }),
  sale: z.object({ isOpen: z.boolean(), opensAt: z.nullable(time), closesAt: z.nullable(time) }),
  /** Whether the member has an order that is not canceled. */
  hasOrder: z.boolean(),
  /** The newest order without a token address. */
  orderWithoutAddress: z.nullable(id),
  openOrders: z.array(openOrder),
  openWithdrawals: z.array(openWithdrawal),
  /** Number of unread messages from staff. */
  unread: z.number(),
  displayRates,
})
export type MemberHome = z.infer<typeof memberHome>

export const readMemberHome = endpoint('GET', 'members/home', {
  about:
    'Get the caller’s progress from confirming the email address to the first order, what is in progress, and the number of unread messages.',
  access: member,
  output: memberHome,
})
