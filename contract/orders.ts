import * as z from 'zod/mini'
import { endpoint, member, selfOrStaff } from './endpoint.ts'
import { email, id, line, noBody, page, requiredLine, time, reasonLine } from './fields.ts'

export const addressLengthMax = 128
export const payMethodLengthMax = 40
export const txIdLengthMax = 128
export const currencyLengthMax = 10
/** How many transactions an order can name, one after the other. */
export const txIdsMax = 10
export const orderStates = ['pending', 'completed', 'cancelled'] as const
export type OrderState = (typeof orderStates)[number]
/**
 * `entered` by finance, `unpaid` cancelled by the program at the deadline, `withdrawn` cancelled by the member, `cancelled`
 * by finance, `payment_dropped` where the network does not know the reported transaction, `payable` once there is an address and an amount to pay, `payment_recorded` by finance as received, `reported_late` after the deadline or the cancellation, `disputed` where two orders name one transaction.
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
  'corrected',
  'transaction_shared',
  'disputed',
  'deadline_extended',
  'payable',
  'payment_recorded',
  'withdrawal_requested',
  'withdrawal_accepted',
  'withdrawal_refused',
  'withdrawal_closed',
  'refunded',
] as const
export type OrderStepKind = (typeof orderStepKinds)[number]
export const orderReasonLengthMax = 500

/** The currency of amounts that have no coin of their own. */
export const defaultCurrency = 'USD'
/** Ways to pay that are no coin. */
const moneyWays =
  /^(?:(?:by|bank|wire|cash|credit|debit|card|sepa|swift|transfer|cheque|check|payment)\b[ -]*|银行|卡|转账|汇款|电汇|现金)*$/iu
/** What an amount is counted in where nobody said so: the coin that it is paid with, or else the default currency. */
export const currencyOf = (payMethod: string): string =>
  moneyWays.test(payMethod) ? defaultCurrency : payMethod

/**
 * A token order, `icotx` on the wire. `fabQty` is null until it is known. A JSON number carries some 16 digits, so
 * `exactAmount` and `exactFabQty` say the same as decimal text, to the last digit.
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
  /** The tokens that one unit of the pay method bought, where it was placed with a quote. */
  rate: z.nullable(z.string()),
  /** The reference that payer, finance and support use for the order. */
  reference: z.string(),
  /** The transaction reported as payment, or empty. */
  txId: z.string(),
  /** What the amount is counted in. */
  currency: z.string(),
  /**
   * Until when a payment must be reported: then a pending order without one is cancelled. Null where there was no deadline,
   * as while it cannot be paid because the receiving address or the amount is not known.
   */
  payBefore: z.nullable(time),
  /** A payment was named after the deadline or the cancellation, and finance has not dealt with it. */
  reportedLate: z.boolean(),
  /** Another order names the same transaction, and finance has not dealt with it. Meanwhile there is no deadline. */
  disputed: z.boolean(),
  /** Another order has the same transaction; finance confirmed it with a reason. */
  sharesTransaction: z.boolean(),
  createdAt: time,
  updatedAt: time,
})
export type Order = z.infer<typeof order>

/** How an order is paid, and what has happened to it. The address is empty once the order is closed. */
export const orderPayment = z.object({
  orderId: id,
  memberId: id,
  reference: z.string(),
  status: z.enum(orderStates),
  /** The verified name of the buyer, or that of the profile, for the receipt. Shown to the buyer only. */
  name: z.string(),
  payMethod: z.string(),
  amount: z.nullable(z.string()),
  currency: z.string(),
  payBefore: z.nullable(time),
  receivingAddress: z.string(),
  /** BIP-21 or EIP-681, for a wallet to open. */
  uri: z.nullable(z.string()),
  /** The URI, or else the address, as a QR code: an SVG document. */
  qrSvg: z.nullable(z.string()),
  txId: z.string(),
  /** Whether its member can cancel it. */
  canWithdraw: z.boolean(),
  /** Finance has recorded something as received: it may be a part. Then no deadline runs, and the URI has no amount. */
  hasRecordedPayment: z.boolean(),
  /** `txId` is what was named in that step, also where another one was named later. */
  steps: z.array(z.object({ kind: z.enum(orderStepKinds), at: time, reason: z.string(), txId: z.string() })),
})
export type OrderPayment = z.infer<typeof orderPayment>

export const chainAddress = line(addressLengthMax)
/** A decimal as a JSON number or as text; at most 20 digits before and 18 after the point. */
export const amount = z.union(
  [z.number().check(z.gte(0), z.lt(1e20)), z.string().check(z.regex(/^\d{1,20}(\.\d{1,18})?$/, 'number'))],
  'number',
)

/** What an order is made of, as it is placed and as finance corrects it. */
export const orderFields = {
  email: z.optional(email),
  ethAddress: z.optional(chainAddress),
  btcAddress: z.optional(chainAddress),
  fabAddress: z.optional(chainAddress),
  payMethod: z.optional(line(payMethodLengthMax)),
  amount: z.optional(z.nullable(amount)),
}

/** What finance adds where it acts. With `sharesTransaction` and a reason an order may name another order's transaction. */
export const ofFinance = {
  txId: z.optional(line(txIdLengthMax)),
  sharesTransaction: z.optional(z.boolean()),
  reason: z.optional(reasonLine(orderReasonLengthMax)),
}

/**
 * `memberId`, `fabQty` and `status` are read from staff only; for a member they are the server's. With `quoteId` a
 * member orders at that price; amount and pay method are then the quote's. While the sale is open members need one.
 * Finance enters for others, never for themselves; a pending order above or below the limits of its method needs a reason.
 */
export const createOrder = endpoint('POST', 'icotx/create', {
  about: 'Place an order: a member with an approved identity for themselves, finance for anybody.',
  access: selfOrStaff('finance', 2),
  status: 201,
  takesIdempotencyKey: true,
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
    'idempotency_conflict',
  ],
})

export const getOrder = endpoint('GET', 'icotx/:id', {
  about: 'One order.',
  access: selfOrStaff('finance', 1),
  recordsReading: 'order',
  params: z.strictObject({ id }),
  output: order,
  errors: ['not_found'],
})

export const getOrderPayment = endpoint('GET', 'icotx/:id/payment', {
  about:
    'How an order is paid: address, amount, payment link and QR code while it waits; and its steps so far.',
  access: selfOrStaff('finance', 1),
  recordsReading: 'order',
  params: z.strictObject({ id }),
  output: orderPayment,
  errors: ['not_found'],
})

/**
 * May be repeated, with another transaction, while the order is pending. One that is named after the deadline is flagged
 * for finance; after a cancellation it reopens nothing. A transaction that another order has is refused with `conflict`,
 * and both orders are `disputed` until finance has dealt with them.
 */
export const reportPayment = endpoint('POST', 'icotx/:id/reportpayment', {
  about: 'Name the transaction that has paid one’s own order. Finance compares it before completing.',
  access: member,
  params: z.strictObject({ id }),
  body: z.strictObject({ txId: requiredLine(txIdLengthMax) }),
  output: order,
  errors: ['not_found', 'conflict'],
})

export const cancelOrder = endpoint('POST', 'icotx/:id/cancel', {
  about: 'Cancel one’s own pending order, while no payment is reported for it.',
  access: member,
  params: z.strictObject({ id }),
  body: noBody,
  output: order,
  errors: ['not_found', 'conflict'],
})

/** An address that is there is changed by finance only: whoever steals a session must not redirect tokens. */
export const giveOrderAddress = endpoint('POST', 'icotx/:id/address', {
  about: 'Say where the tokens of one’s own order go, where the order does not say so yet.',
  access: member,
  params: z.strictObject({ id }),
  body: z.strictObject({ fabAddress: requiredLine(addressLengthMax) }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const findOrders = endpoint('POST', 'icotx/find', {
  about: 'Orders that match every field given. A member gets their own rows only.',
  access: selfOrStaff('finance', 1),
  recordsReading: 'order',
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
