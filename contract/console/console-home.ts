import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { time } from '../platform/fields.ts'

/** Kinds of items that can need a staff member's attention. */
export const attentionItems = [
  'identity_unassigned',
  'identity_mine',
  'orders_ready',
  'orders_payment_gone',
  'orders_payment_unexpected',
  'orders_reported',
  'orders_disputed',
  'orders_late',
  'orders_second_person',
  'orders_not_payable',
  'orders_price_withdrawn',
  'orders_address_withdrawn',
  'statement_lines',
  'withdrawals_open',
  'withdrawals_overdue',
  'sale_proposals',
  'conversations_open',
  'lost_factors',
  'ambassadors',
  'ambassador_profiles',
  'mails_failed',
  'posts_due',
  'content_proposals',
] as const
export type AttentionItem = (typeof attentionItems)[number]

/** `orders_any`: orders that any of the other kinds counts, each once, because an order can need several things. */
export const waitingKinds = [...attentionItems, 'orders_any'] as const

/** Counting stops here; higher counts are shown as “more than”. */
export const waitingCountMax = 10_000

export const waiting = z.object({
  what: z.enum(waitingKinds),
  /** `waitingCountMax` + 1 if there are more. */
  count: z.number(),
  /** Since when the oldest item has been waiting. */
  oldestAt: z.nullable(time),
})
export type Waiting = z.infer<typeof waiting>

export const listNeedsAttention = endpoint('GET', 'admin/home/waiting', {
  about:
    'List what needs the caller’s attention, limited to their levels: the number of items and the age of the oldest one.',
  access: staff('any'),
  output: z.array(waiting),
})

const figureNames = [
  'sign_ups',
  'activations',
  'applications',
  'approved',
  'rejected',
  'more_info',
  'orders_pending',
  'orders_completed',
  'orders_cancelled',
  'amount_pending',
  'amount_completed',
] as const
export type FigureName = (typeof figureNames)[number]

/** Four weeks, including today. */
export const figureDays = 28
/** The coins with the most orders. `hasMoreCoins` is set if there are others. */
export const figureCoinsMax = 6

export const figure = z.object({
  name: z.enum(figureNames),
  /** Unit of the amounts. */
  coin: z.nullable(z.string()),
  /** One value per day, oldest first, as exact decimal text. */
  values: z.array(z.string()),
})
export type Figure = z.infer<typeof figure>

export const readDashboardMetrics = endpoint('GET', 'admin/home/figures', {
  about:
    'Get daily totals for the last 28 days (UTC), limited to the caller’s levels. Orders are counted on the day they were placed.',
  access: staff('any'),
  output: z.object({
    /** The first day, `2036-05-01`. */
    from: z.string(),
    figures: z.array(figure),
    hasMoreCoins: z.boolean(),
  }),
})
export type ConsoleFigures = z.infer<typeof readDashboardMetrics.output>
