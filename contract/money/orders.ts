import * as z from 'zod/mini'
import { displayRates } from './display-rates.ts'
import { endpoint, member, selfOrStaff } from '../platform/endpoint.ts'
import {
  addressLengthMax,
  chainAddress,
  email,
  id,
  line,
  noBody,
  page,
  requiredLine,
  time,
  reasonLine,
} from '../platform/fields.ts'

export const payMethodLengthMax = 40
export const txIdLengthMax = 128
export const currencyLengthMax = 10
/** The maximum number of transactions that an order can name over time. */
export const txIdsMax = 10
export const orderStates = ['pending', 'completed', 'cancelled'] as const
export type OrderState = (typeof orderStates)[number]
/**
 * `entered` by finance; `unpaid`: canceled automatically at the deadline; `withdrawn`: canceled by the member;
 * `cancelled` by finance; `payment_dropped`: the network no longer knows the reported transaction; `payable`: address
 * and amount are known; `payment_recorded` by finance as received; `reported_late`: after the deadline or the
 * cancellation; `disputed`: two orders name the same transaction.
 */
export const orderStepKinds = [
  'placed',
  'payment_reported',
  'payment_dropped',
  'completed',
  'cancelled',
  'entered',
  'reported_late',
  'unpaid',
  'withdrawn',
  'address_given',
  'address_changed',
  'corrected',
  'transaction_shared',
  'disputed',
  'deadline_extended',
  'payable',
  'payment_recorded',
  'withdrawal_requested',
  'refund_opened',
  'withdrawal_accepted',
  'withdrawal_refused',
  'withdrawal_closed',
  'refunded',
] as const
export type OrderStepKind = (typeof orderStepKinds)[number]
export const orderReasonLengthMax = 500

/** Currency of amounts that are not in a coin. */
export const defaultCurrency = 'USD'
/** Payment methods that are not coins. */
const moneyWays =
  /^(?:(?:by|bank|wire|cash|credit|debit|card|sepa|swift|transfer|cheque|check|payment)\b[ -]*|银行|卡|转账|汇款|电汇|现金)*$/iu
/** The default unit of an amount: the coin it is paid with, otherwise the default currency. */
export const currencyOf = (payMethod: string): string =>
  moneyWays.test(payMethod) ? defaultCurrency : payMethod

/**
 * A token order, called `icotx` on the wire. `fabQty` is null until it is known. A JSON number carries about 16 digits,
 * so `exactAmount` and `exactFabQty` repeat the values as exact decimal text.
 */
export const order = z.object({
  _id: id,
  memberId: id,
  email: z.string(),
  ethAddress: z.string(),
  btcAddress: z.string(),
  fabAddress: z.string(),
  payMethod: z.string(),
  amount: z.nullable(z.number()),
  fabQty: z.nullable(z.number()),
  status: z.enum(orderStates),
  exactAmount: z.nullable(z.string()),
  exactFabQty: z.nullable(z.string()),
  /** Tokens per unit of the payment method, if it was placed with a quote. */
  rate: z.nullable(z.string()),
  /** The reference that payer, finance, and support use for the order. */
  reference: z.string(),
  /** The transaction reported as payment, or empty. */
  txId: z.string(),
  /** Unit of the amount. */
  currency: z.string(),
  /**
   * Deadline for reporting a payment. A pending order without a reported payment is then canceled. Null if there is no
   * deadline, for example while the receiving address or the amount is unknown.
   */
  payBefore: z.nullable(time),
  /** A payment was reported after the deadline or the cancellation, and finance has not resolved this yet. */
  reportedLate: z.boolean(),
  /**
   * Another order names the same transaction, and finance has not resolved this yet. Until then there is no deadline.
   */
  disputed: z.boolean(),
  /** Another order has the same transaction, and finance confirmed this with a reason. */
  sharesTransaction: z.boolean(),
  createdAt: time,
  updatedAt: time,
})
export type Order = z.infer<typeof order>

/** How to pay an order, and its history. The address is empty once the order is closed. */
const orderPayment = z.object({
  orderId: id,
  memberId: id,
  reference: z.string(),
  status: z.enum(orderStates),
  /** The buyer's verified name, otherwise the name in the profile, for the receipt. Shown only to the buyer. */
  name: z.string(),
  payMethod: z.string(),
  amount: z.nullable(z.string()),
  currency: z.string(),
  payBefore: z.nullable(time),
  receivingAddress: z.string(),
  /** BIP-21 or EIP-681 URI that opens a wallet. */
  uri: z.nullable(z.string()),
  /** The URI, otherwise the address, as a QR code (SVG document). */
  qrSvg: z.nullable(z.string()),
  txId: z.string(),
  /** Whether the member can cancel it. */
  canWithdraw: z.boolean(),
  /** Whether the order is being withdrawn or was refunded, so that no tokens are sent for it. */
  isBeingWithdrawn: z.boolean(),
  /**
   * Whether finance has recorded a payment, possibly a partial one. Then there is no deadline, and the URI has no
   * amount.
   */
  hasRecordedPayment: z.boolean(),
  /** Amount that finance recorded as received for a completed order: 0 for a gift, and null if none is recorded. */
  receivedAmount: z.nullable(z.string()),
  displayRates,
  /** `txId` is the transaction named in that step, even if another one was named later. */
  steps: z.array(z.object({ kind: z.enum(orderStepKinds), at: time, reason: z.string(), txId: z.string() })),
})
export type OrderPayment = z.infer<typeof orderPayment>

/** A decimal as a JSON number or as text, with up to 20 digits before and 18 after the point. */
export const amount = z.union(
  [
    z.number().check(
      z.gte(0),
      z.lt(1e20),
      // A smaller number would be stored as 0.
      z.refine((value) => value === 0 || value >= 1e-18),
    ),
    z.string().check(z.regex(/^\d{1,20}(\.\d{1,18})?$/, 'number')),
  ],
  'number',
)

/** Fields of an order that are set when it is placed, and that finance can correct. */
export const orderFields = {
  email: z.optional(email),
  ethAddress: z.optional(chainAddress),
  btcAddress: z.optional(chainAddress),
  fabAddress: z.optional(chainAddress),
  payMethod: z.optional(line(payMethodLengthMax)),
  amount: z.optional(z.nullable(amount)),
}

/**
 * Further fields for finance. With `sharesTransaction` and a reason, an order may name another order's transaction. With
 * `exceedsCap` and a reason, its quantity may exceed the caps of the sale; the managers of the sale and finance are
 * notified. Without it, the response is `cap_reached`.
 */
export const ofFinance = {
  txId: z.optional(line(txIdLengthMax)),
  sharesTransaction: z.optional(z.boolean()),
  exceedsCap: z.optional(z.boolean()),
  reason: z.optional(reasonLine(orderReasonLengthMax)),
}

/**
 * `memberId`, `fabQty`, and `status` are accepted only from staff; for members the server sets them. With `quoteId`, a
 * member orders at the quoted price, and the amount and payment method come from the quote. While the sale is open,
 * members need a quote. Finance can enter orders for others, but not for themselves. A reason is required for a pending
 * order outside the limits of its method, or with a quantity that does not match the amount at the current rate. An
 * order entered as completed requires an amount, which is recorded as received, and a reason.
 */
export const createOrder = endpoint('POST', 'icotx/create', {
  about:
    'Place an order. Members with an approved identity place orders for themselves; finance can enter orders for any other member.',
  access: selfOrStaff('finance', 2),
  status: 201,
  acceptsIdempotencyKey: true,
  body: z.strictObject({
    ...orderFields,
    memberId: z.optional(id),
    fabQty: z.optional(z.nullable(amount)),
    status: z.optional(line(40)),
    quoteId: z.optional(id),
    ...ofFinance,
  }),
  output: order,
  errors: [
    'not_found',
    'step_up_required',
    'conflict',
    'quote_unknown',
    'quote_expired',
    'quote_used',
    'sale_closed',
    'cap_reached',
    'own_price',
    'not_admitted',
    'idempotency_conflict',
  ],
})

export const getOrder = endpoint('GET', 'icotx/:id', {
  about: 'Get one order.',
  access: selfOrStaff('finance', 1),
  auditsAccess: 'order',
  params: z.strictObject({ id }),
  output: order,
  errors: ['not_found'],
})

export const getOrderPayment = endpoint('GET', 'icotx/:id/payment', {
  about:
    'Get the payment instructions of an order (address, amount, payment link, and QR code while it is pending) and its history.',
  access: selfOrStaff('finance', 1),
  auditsAccess: 'order',
  params: z.strictObject({ id }),
  output: orderPayment,
  errors: ['not_found'],
})

/**
 * Can be repeated with another transaction while the order is pending. A report after the deadline is flagged for
 * finance; after a cancellation it does not reopen the order. A transaction that another order already has returns
 * `conflict`, and both orders are `disputed` until finance resolves it.
 */
export const reportPayment = endpoint('POST', 'icotx/:id/reportpayment', {
  about:
    'Report the transaction that paid the caller’s own order. Finance checks it before completing the order.',
  access: member,
  params: z.strictObject({ id }),
  body: z.strictObject({ txId: requiredLine(txIdLengthMax) }),
  output: order,
  errors: ['not_found', 'conflict'],
})

export const cancelOrder = endpoint('POST', 'icotx/:id/cancel', {
  about: 'Cancel the caller’s own pending order, as long as no payment was reported for it.',
  access: member,
  params: z.strictObject({ id }),
  body: noBody,
  output: order,
  errors: ['not_found', 'conflict'],
})

/**
 * Nothing is sent to a changed address for some time, so that its owner can react. An order that is canceled, being
 * withdrawn, or refunded, or whose tokens are all in payout runs, takes no address (`conflict`).
 */
export const setTokenAddress = endpoint('POST', 'icotx/:id/address', {
  about:
    'Set or change the address to which the tokens of the caller’s own order are sent, up to 5 times a day. The member is notified.',
  access: member,
  params: z.strictObject({ id }),
  body: z.strictObject({ fabAddress: requiredLine(addressLengthMax) }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required', 'rate_limited'],
})

export const findOrders = endpoint('POST', 'icotx/find', {
  about: 'Find the orders that match all given fields. Members only find their own.',
  access: selfOrStaff('finance', 1),
  inMaintenance: 'reads',
  auditsAccess: 'order',
  query: page,
  body: z.strictObject({
    memberId: z.optional(id),
    email: z.optional(email),
    ethAddress: z.optional(chainAddress),
    btcAddress: z.optional(chainAddress),
    fabAddress: z.optional(chainAddress),
    status: z.optional(z.enum(orderStates, 'one_of')),
    reportedLate: z.optional(z.boolean()),
    disputed: z.optional(z.boolean()),
    txId: z.optional(line(txIdLengthMax)),
  }),
  output: z.array(order),
})
