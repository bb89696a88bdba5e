import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { day, id, line, requiredReason, selectedIds, time } from '../platform/fields.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'
import { deliveryStates, holdReasons, orderDeliveries } from './deliveries.ts'
import { orderReasonLengthMax } from './orders.ts'
import { roundName } from './sale-rounds.ts'

const consoleDelivery = z.object({
  id,
  reference: z.string(),
  orderId: id,
  orderReference: z.string(),
  memberId: id,
  memberEmail: z.string(),
  tranche: z.number(),
  amount: z.string(),
  dueAt: time,
  state: z.enum(deliveryStates),
  hold: z.nullable(z.enum(holdReasons)),
  /** The reason that finance gave; empty for the caller's own delivery. */
  holdNote: z.string(),
  address: z.string(),
  /** Orders without a round are of the one that was sold before there were rounds. Null without any rounds. */
  round: z.nullable(z.object({ id, name: roundName })),
  /** The payout run that it is in. */
  run: z.nullable(z.object({ id, number: z.number() })),
  txId: z.string(),
  sentAt: z.nullable(time),
  confirmedAt: z.nullable(time),
})
export type ConsoleDelivery = z.infer<typeof consoleDelivery>

/**
 * `q` is the reference of a delivery, the beginning of the reference of an order, or a member's complete email address.
 * `from` and `to` are days on which it becomes due.
 */
export const deliveries = resource({
  path: 'admin/deliveries',
  name: 'deliveries',
  about: 'List deliveries, filtered by status, hold, due day, round, payout run, reference, or member.',
  access: staff('finance', 1),
  auditsAccess: 'order',
  row: consoleDelivery,
  filters: {
    q: z.optional(line(254)),
    state: z.optional(z.enum(deliveryStates, 'one_of')),
    hold: z.optional(z.enum(holdReasons, 'one_of')),
    from: z.optional(day),
    to: z.optional(day),
    round: z.optional(id),
    run: z.optional(id),
    ids: selectedIds,
    sort: sortedBy('due', '-due'),
  },
  palette: 'q',
  file: { about: 'Export the list of deliveries as CSV, all pages. Requires step-up authentication.' },
})
export const { list: listDeliveries, file: exportDeliveries } = deliveries
export type DeliveryFilters = FiltersOf<typeof deliveries>

/** Other programs depend on the order of these columns, so add new ones at the end only. */
export const exportDeliveryAccounts = endpoint('GET', 'admin/deliveries/accounting', {
  ...exportDeliveries,
  about:
    'Export one line per delivery for accounting, with exact decimals, UTC times, and its transaction. Requires step-up authentication.',
})

export const listDeliveryRounds = endpoint('GET', 'admin/deliveries/rounds', {
  about: 'List the rounds of the sale, the first one first, for the filter of the list of deliveries.',
  access: staff('finance', 1),
  output: z.object({ rounds: z.array(z.object({ id, name: roundName })) }),
})

/** The maximum number of months in the totals. */
export const totalMonthsMax = 60

const sums = {
  /** Tokens of completed orders. */
  sold: z.string(),
  /** Confirmed. */
  delivered: z.string(),
  /** Sent and not confirmed. */
  sent: z.string(),
  /** In a payout run and not sent. */
  inRuns: z.string(),
  /** Due and in no run, including those on hold. */
  due: z.string(),
  locked: z.string(),
}
const deliveryTotals = z.object({
  ...sums,
  /** Rounds with completed orders, the first one first. */
  rounds: z.array(z.object({ id, name: roundName, ...sums })),
  /** By the month in which deliveries are due, in UTC: `2036-05`. */
  months: z.array(
    z.object({ month: z.string(), count: z.number(), amount: z.string(), delivered: z.string() }),
  ),
})
export type DeliveryTotals = z.infer<typeof deliveryTotals>

/** `from` and `to` limit the months, at most 60 of them. */
export const readDeliveryTotals = endpoint('GET', 'admin/deliveries/totals', {
  about:
    'Get the tokens sold, delivered, sent, in payout runs, due, and locked, in total and by round, and those due by month.',
  access: staff('finance', 1),
  query: z.strictObject({ from: z.optional(day), to: z.optional(day) }),
  output: deliveryTotals,
})

const change = {
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ reason: requiredReason(orderReasonLengthMax) }),
} as const

export const holdDelivery = endpoint('POST', 'admin/deliveries/:id/hold', {
  about: 'Put a delivery of another member on hold, with a reason that the member does not see.',
  ...change,
  output: consoleDelivery,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const releaseDelivery = endpoint('POST', 'admin/deliveries/:id/release', {
  about: 'Release a delivery of another member that finance put on hold, with a reason.',
  ...change,
  output: consoleDelivery,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

/** Not for orders whose tokens were sent otherwise, because they would be sent again. */
export const createOrderDeliveries = endpoint('POST', 'admin/orders/:id/deliveries', {
  about:
    'Create the deliveries of another member’s completed order that has none, for example because it was completed before deliveries were recorded. If the tokens were already sent, they would be sent again.',
  ...change,
  output: orderDeliveries,
  errors: ['not_found', 'conflict', 'step_up_required'],
})
