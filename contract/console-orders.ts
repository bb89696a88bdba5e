import * as z from 'zod/mini'
import { decimal } from './decimal.ts'
import { DAY } from './durations.ts'
import { endpoint, staff } from './endpoint.ts'
import { day, id, line, page, time, requiredReason } from './fields.ts'
import { currencyLengthMax, order, orderReasonLengthMax, orderStates, orderStepKinds } from './orders.ts'
import { payChains } from './sale.ts'

/**
 * What may wait for finance. `not_payable`: without an address or amount. `ready_to_complete`: the chain has all of it. `payment_gone`:
 * completed, and no more there. `payment_unexpected`: not dealt with. `price_withdrawn`: placed at a price that was taken back within a day.
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
/** So long, then `waits_long`. */
export const reportWaitMax = 7 * DAY
export type OrderFlag = (typeof orderFlags)[number]

export const orderSorts = ['placed', '-placed', 'amount', '-amount', 'deadline', '-deadline'] as const
export type OrderSort = (typeof orderSorts)[number]

/** `q` is the beginning of a reference, a whole transaction id, or the whole e-mail address of a member. */
const filters = {
  q: z.optional(line(254)),
  status: z.optional(z.enum(orderStates, 'one_of')),
  flag: z.optional(z.enum(orderFlags, 'one_of')),
  /** What the amount is counted in, or else the pay method, whatever its case. */
  coin: z.optional(line(currencyLengthMax)),
  from: z.optional(day),
  to: z.optional(day),
  min: z.optional(decimal),
  max: z.optional(decimal),
  sort: z.optional(z.enum(orderSorts, 'one_of')),
}
export const orderFilters = z.strictObject(filters)
export type OrderFilters = z.infer<typeof orderFilters>

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

export const listConsoleOrders = endpoint('GET', 'admin/orders', {
  about:
    'Orders by state, flag, coin, day, amount, reference, transaction or member, in the order asked for.',
  access: staff('finance', 1),
  recordsReading: 'order',
  query: z.strictObject({
    ...filters,
    ...page.shape,
  }),
  output: z.array(consoleOrder),
})

const file = {
  access: staff('finance', 1),
  recordsReading: 'order',
  query: orderFilters,
  output: z.unknown(),
  answersBytes: true,
  answersAlso: 'text/csv',
  errors: ['step_up_required'],
} as const

export const exportConsoleOrders = endpoint('GET', 'admin/orders/csv', {
  about: 'The list of orders as CSV, all pages. Takes fresh proof.',
  ...file,
})

/** The columns are a promise to programs that read them: new ones are added at the end. */
export const exportOrderAccounts = endpoint('GET', 'admin/orders/accounting', {
  about:
    'One line for each order with exact decimals, times of UTC and who completed it, for the books. Takes fresh proof.',
  ...file,
})

/** The steps that members do not see, besides those that they do. */
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

/** A field of an order that was changed, with its value before and after. Null: unknown or empty. */
export const orderFieldChange = z.object({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type OrderFieldChange = z.infer<typeof orderFieldChange>

const colleague = z.nullable(z.object({ id, name: z.string() }))

export const consoleOrderDetail = z.object({
  id,
  /** As `icotx/:id` answers it. */
  order,
  memberEmail: z.string(),
  memberName: z.string(),
  flags: z.array(z.enum(orderFlags)),
  receivingAddress: z.string(),
  payChain: z.nullable(z.enum(payChains)),
  /** What finance found received. */
  paidAmount: z.nullable(z.string()),
  paidAt: z.nullable(time),
  /** Received less due, with its sign. Null where one of them is not known. */
  difference: z.nullable(z.string()),
  /** Why the caller cannot act on it: it is their own, or its transaction was named for an order of theirs. */
  forbids: z.nullable(z.enum(['own', 'own_transaction'])),
  /** Other orders for which its transaction was named. */
  sameTransaction: z.array(z.object({ id, reference: z.string(), status: z.enum(orderStates) })),
  /** From so many tokens on two of the staff complete an order; an unknown quantity counts as many. */
  twoPersonsFrom: z.nullable(z.string()),
  takesTwo: z.boolean(),
  /** By how many percent the received amount may differ from the amount due without a reason. */
  tolerancePercent: z.string(),
  /** The first of the two. `counts` is false where they have lost the right since, or three days are over: then the next voice is the first. */
  proposal: z.nullable(
    z.object({
      by: z.object({ id, name: z.string() }),
      at: time,
      reason: z.string(),
      counts: z.boolean(),
      /** What it would change in a completed order; null for a proposal to complete it. */
      correction: z.nullable(z.array(orderFieldChange)),
    }),
  ),
  steps: z.array(
    z.object({
      kind: z.enum(consoleStepKinds),
      at: time,
      /** Null where the program did it. */
      by: colleague,
      reason: z.string(),
      txId: z.string(),
      changes: z.array(orderFieldChange),
    }),
  ),
})
export type ConsoleOrderDetail = z.infer<typeof consoleOrderDetail>

export const getConsoleOrder = endpoint('GET', 'admin/orders/:id', {
  about:
    'One order with what was received for it, its history with who did what, and what the caller can do.',
  access: staff('finance', 1),
  recordsReading: 'order',
  params: z.strictObject({ id }),
  output: consoleOrderDetail,
  errors: ['not_found'],
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
