import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { day, id } from '../platform/fields.ts'
import { orderStates } from './orders.ts'

export const totalsDaysMax = 366
export const totalsDaysDefault = 30

/** Exact sums as decimal text. */
const sum = {
  status: z.enum(orderStates),
  currency: z.string(),
  count: z.number(),
  amount: z.string(),
  quantity: z.string(),
}

export const readOrderTotals = endpoint('GET', 'admin/orders/totals', {
  about:
    'Get the number and total amount of the orders placed, by day (UTC), status, and coin. The default period is the last 30 days; the maximum is 366 days.',
  access: staff('finance', 1),
  query: z.strictObject({ from: z.optional(day), to: z.optional(day) }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    rows: z.array(z.object({ day: z.string(), ...sum })),
  }),
})
export type OrderTotals = z.infer<typeof readOrderTotals.output>

export const readMemberOrderTotals = endpoint('GET', 'admin/members/:id/order-totals', {
  about:
    'Get the number and totals of all orders of a member, by status and coin, including what was received.',
  access: staff('finance', 1),
  auditsAccess: 'member',
  params: z.strictObject({ id }),
  output: z.array(z.object({ ...sum, received: z.string() })),
  errors: ['not_found'],
})
export type MemberOrderTotals = z.infer<typeof readMemberOrderTotals.output>
