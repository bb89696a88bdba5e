import * as z from 'zod/mini'
import { decimal } from './decimal.ts'
import { DAY } from './durations.ts'
import { endpoint, staff } from './endpoint.ts'
import { secondPersonCauses } from './four-eyes.ts'
import { day, id, line, time, requiredReason, waitingFor } from './fields.ts'
import { resource, sortedBy, type FiltersOf } from './resource.ts'
import { currencyLengthMax, order, orderReasonLengthMax, orderStates, orderStepKinds } from './orders.ts'
import { payChains } from './sale.ts'

/**
 * Orders that need attention from finance. `not_payable`: without an address or amount. `ready_to_complete`:
 * paid in full on chain. `payment_gone`: completed, but its payment has left the chain. `payment_unexpected`:
 * an unresolved payment. `price_withdrawn`: placed at a price that was withdrawn or stopped within a day.
 */
export const orderFlags = [
  'payment_reported',
  'reported_late',
  'disputed',
  'shares_transaction',
  'second_person',
  'waits_long',
  'not_payable',
  'ready_to_complete',
  'payment_gone',
  'payment_unexpected',
  'price_withdrawn',
] as const
/** Reports older than this are flagged as `waits_long`. */
export const reportWaitMax = 7 * DAY
export type OrderFlag = (typeof orderFlags)[number]

export const consoleOrder = z.object({
  id,
  reference: z.string(),
  memberId: id,
  memberEmail: z.string(),
  status: z.enum(orderStates),
  flags: z.array(z.enum(orderFlags)),
  payMethod: z.string(),
  currency: z.string(),
  amount: z.nullable(z.string()),
  quantity: z.nullable(z.string()),
  txId: z.string(),
  payBefore: z.nullable(time),
  createdAt: time,
  updatedAt: time,
})
export type ConsoleOrder = z.infer<typeof consoleOrder>

/** Steps that members do not see, in addition to those they do. */
export const consoleStepKinds = [
  ...orderStepKinds,
  'completion_proposed',
  'completion_declined',
  'transaction_taken',
  'completion_lapsed',
  'withdrawal_proposed',
  'correction_proposed',
] as const
export type ConsoleStepKind = (typeof consoleStepKinds)[number]

/** A changed field of an order, before and after. Null: unknown or empty. */
export const orderFieldChange = z.object({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type OrderFieldChange = z.infer<typeof orderFieldChange>

const colleague = z.nullable(z.object({ id, name: z.string() }))

/**
 * What staff need to cancel a pending order. After a payment, it is a reason, or above the four-eyes threshold a
 * withdrawal by the member, which two people decide and refund.
 */
export const cancellingNeeds = ['nothing', 'reason', 'withdrawal'] as const
export type CancellingNeed = (typeof cancellingNeeds)[number]

export const consoleOrderDetail = z.object({
  id,
  /** As returned by `icotx/:id`. */
  order,
  memberEmail: z.string(),
  memberName: z.string(),
  flags: z.array(z.enum(orderFlags)),
  receivingAddress: z.string(),
  payChain: z.nullable(z.enum(payChains)),
  /** The amount received, as recorded by finance. */
  paidAmount: z.nullable(z.string()),
  paidAt: z.nullable(time),
  /** Received minus due, signed. Null if either is unknown. */
  difference: z.nullable(z.string()),
  /**
   * Why the caller cannot act on it: it is their own order, or its transaction was reported for an order of
   * theirs.
   */
  forbids: z.nullable(z.enum(['own', 'own_transaction'])),
  /** Other orders that name the same transaction. */
  sameTransaction: z.array(z.object({ id, reference: z.string(), status: z.enum(orderStates) })),
  /**
   * From this quantity of tokens, completion requires four-eyes approval. An unknown quantity counts as above
   * it.
   */
  twoPersonsFrom: z.nullable(z.string()),
  /** Whether completion requires four-eyes approval if the reader completes it now, and why. */
  takesTwo: z.boolean(),
  secondPersonCause: z.nullable(z.enum(secondPersonCauses)),
  /** The received amount may differ from the amount due by this many percent without a reason. */
  tolerancePercent: z.string(),
  /** The received amount that the chain proves, so that completing with it needs no reason; null if none. */
  provenAmount: z.nullable(z.string()),
  /** A withdrawal awaits a decision. Until then, the order can't be completed. */
  isBeingWithdrawn: z.boolean(),
  cancellingNeeds: z.enum(cancellingNeeds),
  /**
   * The first approval. `counts` is false once its author has lost the right or three days have passed; then
   * the next approval is the first.
   */
  proposal: z.nullable(
    z.object({
      by: z.object({ id, name: z.string() }),
      at: time,
      reason: z.string(),
      counts: z.boolean(),
      /** The correction of a completed order; null for a proposal to complete it. */
      correction: z.nullable(z.array(orderFieldChange)),
    }),
  ),
  steps: z.array(
    z.object({
      kind: z.enum(consoleStepKinds),
      at: time,
      /** Null if the program did it. */
      by: colleague,
      reason: z.string(),
      txId: z.string(),
      changes: z.array(orderFieldChange),
    }),
  ),
})
export type ConsoleOrderDetail = z.infer<typeof consoleOrderDetail>

/** `q` is the beginning of a reference, a whole transaction ID, or the whole email address of a member. */
export const consoleOrders = resource({
  path: 'admin/orders',
  name: 'orders',
  about:
    'Orders by state, flag, coin, day, amount, reference, transaction or member, in the order asked for.',
  access: staff('finance', 1),
  recordsReading: 'order',
  row: consoleOrder,
  filters: {
    q: z.optional(line(254)),
    status: z.optional(z.enum(orderStates, 'one_of')),
    flag: z.optional(z.enum(orderFlags, 'one_of')),
    waitingFor,
    /** The unit of the amount, or else the payment method; case does not matter. */
    coin: z.optional(line(currencyLengthMax)),
    from: z.optional(day),
    to: z.optional(day),
    min: z.optional(decimal),
    max: z.optional(decimal),
    sort: sortedBy('placed', '-placed', 'amount', '-amount', 'deadline', '-deadline'),
  },
  palette: 'q',
  file: { about: 'The list of orders as CSV, all pages. Takes fresh proof.' },
  detail: {
    about:
      'One order with what was received for it, its history with who did what, and what the caller can do.',
    output: consoleOrderDetail,
  },
})
export const { list: listConsoleOrders, file: exportConsoleOrders, get: getConsoleOrder } = consoleOrders
export type OrderFilters = FiltersOf<typeof consoleOrders>

/** Programs rely on these columns: add new ones at the end only. */
export const exportOrderAccounts = endpoint('GET', 'admin/orders/accounting', {
  ...exportConsoleOrders,
  about:
    'One line for each order with exact decimals, times of UTC and who completed it, for the books. Takes fresh proof.',
})

export const declineOrderCompletion = endpoint('POST', 'admin/orders/:id/decline', {
  about:
    'Do not complete an order that another one of the staff proposes to complete, or take one’s own proposal back. The member is not told.',
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({
    reason: requiredReason(orderReasonLengthMax),
    updatedAt: z.optional(time),
  }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required'],
})
