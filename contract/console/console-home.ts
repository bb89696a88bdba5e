import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { done, noBody, time } from '../platform/fields.ts'

/** Kinds of items that can need a staff member's attention. */
export const attentionItems = [
  'identity_unassigned',
  'identity_mine',
  'identity_answered',
  'identity_second_person',
  'orders_mine',
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
  'deliveries_due',
  'deliveries_overdue',
  'payouts_second_person',
  'payouts_unmatched',
  'sale_proposals',
  'conversations_open',
  'lost_factors',
  'erasures',
  'ambassadors',
  'ambassador_profiles',
  'mails_failed',
  'posts_due',
  'content_proposals',
  'mentions',
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
  /** Whether items were added since the caller last opened the notifications. */
  isNew: z.boolean(),
  isMuted: z.boolean(),
})
export type Waiting = z.infer<typeof waiting>

export const listNeedsAttention = endpoint('GET', 'admin/home/waiting', {
  about:
    'List what needs the caller’s attention, limited to their levels: the number of items and the age of the oldest one.',
  access: staff('any'),
  output: z.array(waiting),
})

/** When the daily email is sent, as an hour of the day in UTC. */
export const digestHour = 6

export const notificationSettings = z.strictObject({
  /** Kinds that cause no notification and are left out of the daily email. */
  muted: z.array(z.enum(attentionItems, 'one_of')).check(z.maxLength(attentionItems.length, 'too_long')),
  hasDigest: z.boolean(),
})
export type NotificationSettings = z.infer<typeof notificationSettings>

export const readNotificationSettings = endpoint('GET', 'admin/home/notifications', {
  about: 'Get which notifications the caller receives, and whether they receive the daily email.',
  access: staff('any'),
  output: notificationSettings,
})

export const saveNotificationSettings = endpoint('POST', 'admin/home/notifications', {
  about: 'Choose which notifications the caller receives, and whether they receive the daily email.',
  access: staff('any'),
  body: notificationSettings,
  output: notificationSettings,
})

export const markNotificationsSeen = endpoint('POST', 'admin/home/notifications/seen', {
  about: 'Mark all current notifications of the caller as seen.',
  access: staff('any'),
  body: noBody,
  output: done('seen'),
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

/** The selectable periods in days, including today, and the number of days that one value of each covers. */
export const figurePeriods = { '7': 1, '28': 1, '91': 1, '364': 7 } as const
export type FigurePeriod = keyof typeof figurePeriods
export const figurePeriodNames = Object.keys(figurePeriods) as [FigurePeriod, ...FigurePeriod[]]
export const figurePeriodDefault = '28'
/** The coins with the most orders. `hasMoreCoins` is set if there are others. */
export const figureCoinsMax = 6

export const figure = z.object({
  name: z.enum(figureNames),
  /** Unit of the amounts. */
  coin: z.nullable(z.string()),
  /** One value per day or week, oldest first, as exact decimal text. */
  values: z.array(z.string()),
  /** The total of the period before, which is equally long. */
  before: z.string(),
})
export type Figure = z.infer<typeof figure>

/** The steps from signing up to a completed order. */
export const pathSteps = ['signed_up', 'activated', 'identified', 'ordered', 'paid'] as const

export const readDashboardMetrics = endpoint('GET', 'admin/home/figures', {
  about:
    'Get totals by day or week (UTC) for the last 7, 28, 91, or 364 days, limited to the caller’s levels, and the totals of the period before. Orders are counted on the day they were placed. `path` counts the members who signed up in the period and how far they have come, and `sale` contains the tokens sold and the orders since the last change of the sale settings.',
  access: staff('any'),
  query: z.strictObject({ days: z._default(z.enum(figurePeriodNames, 'one_of'), figurePeriodDefault) }),
  output: z.object({
    /** The first day, `2036-05-01`. */
    from: z.string(),
    /** How many days one value covers. */
    step: z.number(),
    figures: z.array(figure),
    hasMoreCoins: z.boolean(),
    path: z.array(z.object({ step: z.enum(pathSteps), count: z.number() })),
    sale: z.nullable(
      z.object({
        /** Null if there is no cap, because nothing is counted then. */
        sold: z.nullable(z.string()),
        cap: z.nullable(z.string()),
        left: z.nullable(z.string()),
        changedAt: z.nullable(time),
        /** Orders placed since then, except canceled ones. */
        orders: z.number(),
        quantity: z.string(),
      }),
    ),
  }),
})
export type ConsoleFigures = z.infer<typeof readDashboardMetrics.output>
