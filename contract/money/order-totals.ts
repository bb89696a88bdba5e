import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { day } from '../platform/fields.ts'
import { orderStates } from './orders.ts'

export const totalsDaysMax = 366
export const totalsDaysDefault = 30

export const readOrderTotals = endpoint('GET', 'admin/orders/totals', {
  about:
    'Get the number and total amount of the orders placed, by day (UTC), status, and coin. The default period is the last 30 days; the maximum is 366 days.',
  access: staff('finance', 1),
  query: z.strictObject({ from: z.optional(day), to: z.optional(day) }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    rows: z.array(
      z.object({
        day: z.string(),
        status: z.enum(orderStates),
        currency: z.string(),
        count: z.number(),
        /** Exact sums as decimal text. */
        amount: z.string(),
        quantity: z.string(),
      }),
    ),
  }),
})
export type OrderTotals = z.infer<typeof readOrderTotals.output>
