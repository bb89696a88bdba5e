import * as z from 'zod/mini'
import { DAY } from './durations.ts'
import { endpoint, staff } from './endpoint.ts'
import { email, givenTime, id, line, page, time, requiredReason } from './fields.ts'
import {
  amount,
  ofFinance,
  order,
  orderFields,
  orderReasonLengthMax,
  orderStates,
  txIdLengthMax,
} from './orders.ts'

/** How far from now finance can move a deadline. */
export const deadlineMax = 90 * DAY

export const listOrders = endpoint('GET', 'icotx/', {
  about: 'All orders, newest first.',
  access: staff('finance', 1),
  recordsReading: 'order',
  query: page,
  output: z.array(order),
})

/**
 * An order sent back unchanged is accepted: fields that the server sets are ignored. With an `updatedAt` that is not the
 * stored one nothing is written. Every correction takes a reason, is mailed to the member, and is not made together with
 * completing the order. `txId: null` takes a transaction away. `reportedLate: false` and `disputed: false`, with a reason,
 * say that what was flagged was dealt with: before that, or without that, nothing is completed. `paidAmount` and `paidAt`
 * say what was received; that it was nothing after all is a correction. An order is completed only if its payment was recorded,
 * was seen on chain, or is stated in the same request with a reason; an amount beyond the tolerance always takes a reason. Above
 * the threshold the first completion is a proposal, and somebody else's completes it. A change of the quantity or an address of
 * a completed order is a proposal too: another finance member approves it by sending the same values.
 */
export const updateOrder = endpoint('POST', 'icotx/update', {
  about: 'Complete, cancel or correct an order of somebody else. The member is told.',
  access: staff('finance', 2),
  body: z.strictObject({
    _id: id,
    ...orderFields,
    email: z.optional(z.union([z.literal(''), email])),
    memberId: z.optional(id),
    fabQty: z.optional(z.nullable(amount)),
    status: z.optional(z.enum(orderStates, 'one_of')),
    createdAt: z.optional(time),
    updatedAt: z.optional(time),
    exactAmount: z.optional(z.unknown()),
    exactFabQty: z.optional(z.unknown()),
    rate: z.optional(z.unknown()),
    reference: z.optional(z.unknown()),
    currency: z.optional(z.unknown()),
    payBefore: z.optional(z.unknown()),
    reportedLate: z.optional(z.boolean()),
    disputed: z.optional(z.boolean()),
    /** Confirms a quantity that is not what the amount buys at the order's rate. */
    confirmsQuantity: z.optional(z.boolean()),
    ...ofFinance,
    txId: z.optional(z.nullable(line(txIdLengthMax))),
    paidAmount: z.optional(z.nullable(amount)),
    paidAt: z.optional(z.nullable(givenTime)),
  }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required', 'cap_reached'],
})

export const extendOrderDeadline = endpoint('POST', 'admin/orders/:id/deadline', {
  about: 'Give a pending order of somebody else more time to be paid. The member is told, with the reason.',
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({
    payBefore: givenTime,
    reason: requiredReason(orderReasonLengthMax),
    updatedAt: z.optional(time),
  }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required'],
})
