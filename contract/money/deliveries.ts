import * as z from 'zod/mini'
import { endpoint, member, selfOrStaff } from '../platform/endpoint.ts'
import { id, page, time } from '../platform/fields.ts'

/**
 * `in_run`: frozen into a payout run, so that its address and amount no longer change. `sent`: a transaction is known.
 * `confirmed`: the network or finance confirmed it. `on_hold`: due, but something prevents it.
 */
export const deliveryStates = [
  'scheduled',
  'due',
  'on_hold',
  'in_run',
  'sent',
  'confirmed',
  'cancelled',
] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * What prevents a delivery. `staff`: finance holds it. `withdrawal_open`, `withdrawal_period`: the member withdraws from
 * the order, or can still do so. `refunded`: the order was refunded after the delivery was frozen into a payout run.
 * `address_new`: the address changed recently. `identity_expired`: the member's identity is not approved.
 * `account_erased`: nobody can correct its address.
 */
export const holdReasons = [
  'staff',
  'withdrawal_open',
  'refunded',
  'withdrawal_period',
  'address_missing',
  'address_new',
  'identity_expired',
  'seen_on_chain',
  'account_erased',
] as const
export type HoldReason = (typeof holdReasons)[number]

const delivery = z.object({
  id,
  reference: z.string(),
  /** Its number among the deliveries of the order. */
  tranche: z.number(),
  /** Tokens as exact decimal text. */
  amount: z.string(),
  dueAt: time,
  state: z.enum(deliveryStates),
  /** Null if nothing prevents it. Also set while it is scheduled. */
  hold: z.nullable(z.enum(holdReasons)),
  /** As frozen; before that, the address of the order. */
  address: z.string(),
  /** Empty until it was sent. */
  txId: z.string(),
  sentAt: z.nullable(time),
  confirmedAt: z.nullable(time),
})
export type Delivery = z.infer<typeof delivery>

export const orderDeliveries = z.object({
  orderId: id,
  memberId: id,
  address: z.string(),
  /** End of the time during which nothing is sent to a changed address; null if it can be used. */
  addressUsableFrom: z.nullable(time),
  canChangeAddress: z.boolean(),
  /** Address of the block explorer of the token, without a slash at the end. Null if none is set. */
  explorer: z.nullable(z.string()),
  bought: z.string(),
  /** Tokens of confirmed deliveries. */
  delivered: z.string(),
  /** What is due at the earliest time at which something is that was not sent; null if all was sent. */
  dueNext: z.nullable(z.object({ amount: z.string(), dueAt: time })),
  /** Tokens that are not due yet. */
  locked: z.string(),
  deliveries: z.array(delivery),
})
export type OrderDeliveries = z.infer<typeof orderDeliveries>

/** Without deliveries, for example before the order is completed, the list is empty. */
export const getOrderDeliveries = endpoint('GET', 'icotx/:id/deliveries', {
  about:
    'Get the deliveries of an order, what was delivered, what is due next, and what is still locked. Members never see why finance holds a delivery.',
  access: selfOrStaff('finance', 1),
  auditsAccess: 'order',
  params: z.strictObject({ id }),
  output: orderDeliveries,
  errors: ['not_found'],
})

const ownDelivery = z.object({ ...delivery.shape, orderId: id, orderReference: z.string() })
export type OwnDelivery = z.infer<typeof ownDelivery>

export const listOwnDeliveries = endpoint('GET', 'deliveries', {
  about: 'List the deliveries of the caller’s own orders, the last due first.',
  access: member,
  query: page,
  output: z.array(ownDelivery),
})
