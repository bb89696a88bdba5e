import * as z from 'zod/mini'
import { bulk } from '../platform/bulk.ts'
import { decimal } from '../platform/decimal.ts'
import { DAY } from '../platform/durations.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { assigneeFilter, assignmentOf, colleague } from '../people/assignment.ts'
import { fourEyesCauses } from '../people/four-eyes.ts'
import { kycState } from '../people/kyc.ts'
import { notesOn, notesOutput } from '../people/staff-notes.ts'
import { day, id, line, selectedIds, time, requiredReason, waitingFor } from '../platform/fields.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'
import { currencyLengthMax, order, orderReasonLengthMax, orderStates, orderStepKinds } from './orders.ts'
import { payChains } from './sale.ts'
import { roundName } from './sale-rounds.ts'

/**
 * Orders that need attention from finance. `not_payable`: without an address or amount. `ready_to_complete`: paid in
 * full on chain. `payment_gone`: completed, but the payment is no longer on chain. `payment_unexpected`: an unresolved
 * payment. `price_withdrawn`: placed at a price that was withdrawn or stopped within a day. `address_withdrawn`: placed
 * at a receiving address that was set back within a day. `payment_returned`: a statement shows that a payment went back, and its line is still open. `new_price`: paid, but left to a person because
 * the price changed a lot within the day before it was placed. `program_limit`: the same, because the program completed
 * its total for the day.
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
  'address_withdrawn',
  'payment_returned',
  'new_price',
  'program_limit',
] as const
/** Reports older than this are flagged as `waits_long`. */
export const reportWaitMax = 7 * DAY
export type OrderFlag = (typeof orderFlags)[number]

const consoleOrder = z.object({
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
  /** Null for the caller's own order. */
  assignee: z.nullable(colleague),
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
  'line_dismissed',
  'line_reopened',
  'deliveries_created',
  'delivery_held',
  'delivery_released',
] as const
export type ConsoleStepKind = (typeof consoleStepKinds)[number]

/** A changed field of an order, before and after. Null: unknown or empty. */
const orderFieldChange = z.object({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type OrderFieldChange = z.infer<typeof orderFieldChange>

const officer = z.nullable(z.object({ id, name: z.string() }))

/**
 * What staff need to cancel a pending order. After a payment this is a reason or, above the four-eyes threshold, a
 * withdrawal by the member, which two people decide and refund.
 */
export const cancellingNeeds = ['nothing', 'reason', 'withdrawal'] as const
export type CancellingNeed = (typeof cancellingNeeds)[number]

const consoleOrderDetail = z.object({
  id,
  /** Empty for the caller's own order. */
  ...notesOutput.shape,
  /** Null for the caller's own order. */
  assignee: z.nullable(colleague),
  /** As returned by `icotx/:id`. */
  order,
  memberEmail: z.string(),
  memberName: z.string(),
  /** The state of the member's identity verification. */
  kyc: kycState,
  flags: z.array(z.enum(orderFlags)),
  /** Address of the block explorer for the coin of the order, without a slash at the end. Null if none is set. */
  explorer: z.nullable(z.string()),
  receivingAddress: z.string(),
  payChain: z.nullable(z.enum(payChains)),
  /** The amount received, as recorded by finance. */
  paidAmount: z.nullable(z.string()),
  paidAt: z.nullable(time),
  /** The round that it belongs to. Null if it belongs to none, or if the sale has no rounds. */
  round: z.nullable(roundName),
  /** Included in the rate and the tokens. */
  bonusPercent: z.string(),
  /** Received minus due, signed. Null if either is unknown. */
  difference: z.nullable(z.string()),
  /**
   * Why the caller cannot act on it: it is their own order, or its transaction was reported for an order of
   * theirs.
   */
  forbids: z.nullable(z.enum(['own', 'own_transaction'])),
  /** Other orders with the same transaction. */
  sameTransaction: z.array(z.object({ id, reference: z.string(), status: z.enum(orderStates) })),
  /**
   * From this quantity of tokens, completion requires four-eyes approval. An unknown quantity counts as above
   * it.
   */
  twoPersonsFrom: z.nullable(z.string()),
  /** Whether completion requires four-eyes approval if the caller completes the order now, and why. */
  takesTwo: z.boolean(),
  secondPersonCause: z.nullable(z.enum(fourEyesCauses)),
  /** The largest quantity of the order within the caps of the sale. Null if no cap applies to it. */
  capRoom: z.nullable(z.string()),
  /** The received amount may differ from the amount due by this many percent without a reason. */
  tolerancePercent: z.string(),
  /**
   * The received amount that the chain proves, so that completing the order with it needs no reason. Null if there is
   * none.
   */
  provenAmount: z.nullable(z.string()),
  /**
   * Whether the recorded payment left the chain before the order was completed. Completing the order then needs the
   * received amount and a reason again.
   */
  hasLeftChain: z.boolean(),
  /** A withdrawal awaits a decision. Until then, the order can't be completed. */
  isBeingWithdrawn: z.boolean(),
  cancellingNeeds: z.enum(cancellingNeeds),
  /** Whether a payment was received that staff can refund, because the order is not completed and has no withdrawal. */
  canRefund: z.boolean(),
  /**
   * The first approval. `counts` is false once its author has lost the required right or has an interest in the order,
   * the order has changed, or three days have passed; the next approval is then the first one.
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
      /** Null for automatic actions. */
      by: officer,
      reason: z.string(),
      txId: z.string(),
      changes: z.array(orderFieldChange),
    }),
  ),
})
export type ConsoleOrderDetail = z.infer<typeof consoleOrderDetail>

/** `q` is the beginning of a reference, a complete transaction ID, or a member's complete email address. */
export const consoleOrders = resource({
  path: 'admin/orders',
  name: 'orders',
  about:
    'List orders, filtered by status, flag, assignee, coin, day, amount, reference, transaction, or member, in the requested order.',
  access: staff('finance', 1),
  auditsAccess: 'order',
  row: consoleOrder,
  filters: {
    q: z.optional(line(254)),
    status: z.optional(z.enum(orderStates, 'one_of')),
    flag: z.optional(z.enum(orderFlags, 'one_of')),
    waitingFor,
    assignee: assigneeFilter,
    /** The unit of the amount, otherwise the payment method. Case-insensitive. */
    coin: z.optional(line(currencyLengthMax)),
    from: z.optional(day),
    to: z.optional(day),
    min: z.optional(decimal),
    max: z.optional(decimal),
    ids: selectedIds,
    sort: sortedBy('placed', '-placed', 'amount', '-amount', 'deadline', '-deadline'),
  },
  palette: 'q',
  file: { about: 'Export the list of orders as CSV, all pages. Requires step-up authentication.' },
  detail: {
    about:
      'Get one order with the payment received for it, its history, and the actions available to the caller.',
    output: consoleOrderDetail,
  },
})
export const { list: listConsoleOrders, file: exportConsoleOrders, get: getConsoleOrder } = consoleOrders
export type OrderFilters = FiltersOf<typeof consoleOrders>

/** Other programs depend on the order of these columns, so add new ones at the end only. */
export const exportOrderAccounts = endpoint('GET', 'admin/orders/accounting', {
  ...exportConsoleOrders,
  about:
    'Export one line per order for accounting, with exact decimals, UTC times, and the person who completed it. Requires step-up authentication.',
})

export const declineOrderCompletion = endpoint('POST', 'admin/orders/:id/decline', {
  about:
    'Decline another staff member’s proposal to complete an order, or withdraw the caller’s own proposal. The member is not notified.',
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({
    reason: requiredReason(orderReasonLengthMax),
    updatedAt: z.optional(time),
  }),
  output: order,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const {
  add: addOrderNote,
  remove: removeOrderNote,
  readers: listOrderReaders,
} = notesOn('admin/orders', {
  access: staff('finance', 2),
  output: notesOutput,
  about: { add: 'The member’s data export includes it.' },
})

export const { assign: assignOrder, colleagues: listOrderColleagues } = assignmentOf('admin/orders', {
  level: 'finance',
  about: {
    assign: 'Assign another member’s order to a colleague who can act on it, or unassign it.',
    colleagues: 'List the staff members that an order can be assigned to.',
  },
})

export const assignOrders = bulk(assignOrder, 'admin/orders/bulk/assign', {
  about:
    'Assign up to 100 orders of other members to a colleague, or unassign them, or preview that. `version` is the ID of the current assignee, if there is one.',
  input: { to: assignOrder.body.shape.to },
})
