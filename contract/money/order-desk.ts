import * as z from 'zod/mini'
import { bulk } from '../platform/bulk.ts'
import { DAY } from '../platform/durations.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { email, timeInput, id, line, page, time, requiredReason } from '../platform/fields.ts'
import {
  amount,
  ofFinance,
  order,
  orderFields,
  orderReasonLengthMax,
  orderStates,
  txIdLengthMax,
} from './orders.ts'

/** How far from now finance can set a deadline. */
export const deadlineMax = 90 * DAY

export const listOrders = endpoint('GET', 'icotx/', {
  about: 'List all orders, newest first.',
  access: staff('finance', 1),
  auditsAccess: 'order',
  query: page,
  output: z.array(order),
})

/**
 * An order that is sent back unchanged is accepted: fields that the server sets are ignored. Writes nothing if
 * `updatedAt` is not the stored value.
 *
 * Every correction requires a reason, is emailed to the member, and cannot be combined with completing the order.
 * `txId: null` removes the transaction. `reportedLate: false` and `disputed: false`, each with a reason, resolve these
 * flags; an order cannot be completed before that. `paidAmount` and `paidAt` record a received payment; removing it is
 * a correction.
 *
 * An order can be completed only if its payment was recorded, was seen on chain, or is stated in the same request with
 * a reason; an amount beyond the tolerance always requires a reason. Above the four-eyes threshold, the first
 * completion is a proposal, and a second person completes the order. Changing the quantity or an address of a completed
 * order is a proposal too: another finance member approves it by sending the same values. Four-eyes approval counts the
 * largest quantity that the order ever had.
 *
 * An order for which money was received can be canceled only with a reason, and not at all above the threshold: its
 * member withdraws instead.
 */
export const updateOrder = endpoint('POST', 'icotx/update', {
  about: 'Complete, cancel, or correct another member’s order. The member is notified.',
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
    /** Confirms a quantity that differs from what the amount buys at the order's rate. */
    confirmsQuantity: z.optional(z.boolean()),
    ...ofFinance,
    txId: z.optional(z.nullable(line(txIdLengthMax))),
    paidAmount: z.optional(z.nullable(amount)),
    paidAt: z.optional(z.nullable(timeInput)),
  }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required', 'cap_reached', 'own_price'],
})

export const extendOrderDeadline = endpoint('POST', 'admin/orders/:id/deadline', {
  about:
    'Extend the payment deadline of another member’s pending order. The member is notified of the reason. An order with a recorded payment or an open withdrawal has no deadline (`no_deadline`).',
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({
    payBefore: timeInput,
    reason: requiredReason(orderReasonLengthMax),
    updatedAt: z.optional(time),
  }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const cancelOrders = bulk(updateOrder, 'admin/orders/bulk/cancel', {
  about:
    'Cancel up to 100 orders of other members, or preview that. Each is canceled as `POST icotx/update` would cancel it, and its member is notified. `basis` says whether a payment was reported or received.',
  input: { reason: ofFinance.reason },
})

export const extendOrderDeadlines = bulk(extendOrderDeadline, 'admin/orders/bulk/deadline', {
  about:
    'Extend the payment deadline of up to 100 pending orders of other members to the same time, or preview that. Each member is notified of the reason.',
  input: {
    payBefore: extendOrderDeadline.body.shape.payBefore,
    reason: extendOrderDeadline.body.shape.reason,
  },
})
