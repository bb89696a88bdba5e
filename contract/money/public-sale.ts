import * as z from 'zod/mini'
import { anyone, endpoint } from '../platform/endpoint.ts'
import { done, email, mailedCode, time } from '../platform/fields.ts'
import { languages } from '../platform/languages.ts'
import { bonusTiers } from './round-bonus.ts'
import { roundName } from './sale-rounds.ts'
import { vestingPlan } from './vesting.ts'

/**
 * `none`: not set up, or closed by staff. `upcoming` and `ended`: before and after the sale period. `soldOut`: fewer
 * tokens are left than the smallest order buys.
 */
export const publicSaleStates = ['none', 'upcoming', 'open', 'soldOut', 'ended'] as const
export type PublicSaleState = (typeof publicSaleStates)[number]

/** Retention in days of unconfirmed reminders, and of confirmed ones if no sale begins. */
export const pendingReminderDays = 7
export const reminderDays = 365

/** For how long a sale must have been open before reminders are sent, so that an accidental opening can be undone. */
export const reminderWaitMinutes = 10

const publicPayMethod = z.object({
  code: z.string(),
  currency: z.string(),
  /** Tokens per unit of the currency. */
  rate: z.string(),
  minAmount: z.string(),
  maxAmount: z.string(),
  /** Number of decimal places of an amount. */
  decimals: z.number(),
})
export type PublicPayMethod = z.infer<typeof publicPayMethod>

export const publicSale = z.object({
  state: z.enum(publicSaleStates),
  /** Null unless staff have opened the sale. */
  opensAt: z.nullable(time),
  closesAt: z.nullable(time),
  /** Empty unless orders are accepted. */
  payMethods: z.array(publicPayMethod),
  quoteMinutes: z.number(),
  /** Hours after which an order without a reported payment is canceled. */
  payHours: z.number(),
  /** Minimum age of a buyer in years. */
  ageMin: z.number(),
  /** Maximum number of tokens in all orders of one member. */
  memberCap: z.nullable(z.string()),
  /** Null if there is no cap, or if editors hide the share that is left. */
  left: z.nullable(
    z.object({
      cap: z.string(),
      /** The remaining share of the cap, rounded down to one decimal place. */
      percent: z.string(),
    }),
  ),
  /** The round that is open now. Null without rounds, between them, or if editors hide them. */
  round: z.nullable(
    z.object({
      name: roundName,
      closesAt: z.nullable(time),
      left: z.nullable(z.object({ cap: z.string(), percent: z.string() })),
      bonus: bonusTiers,
      vesting: vestingPlan,
    }),
  ),
  next: z.nullable(
    z.object({
      name: roundName,
      opensAt: time,
      payMethods: z.array(z.object({ code: z.string(), currency: z.string(), rate: z.string() })),
    }),
  ),
})
export type PublicSale = z.infer<typeof publicSale>

export const readPublicSale = endpoint('GET', 'sale/public', {
  about:
    'Get what the public page about the token sale shows: prices, limits, the sale period, and what is left of the cap. `sale` is null if the sale is not public.',
  access: anyone,
  changesWith: ['sale', 'content'],
  isRevalidated: true,
  output: z.object({
    sale: z.nullable(publicSale),
    /** Whether the home page shows the sale. */
    isOnHome: z.boolean(),
  }),
})

export const reminderFields = z.strictObject({ email, language: z.enum(languages, 'one_of') })

export const requestSaleReminder = endpoint('POST', 'sale/reminder', {
  about:
    'Request an email when the next sale opens. The recipient must confirm the request with an emailed link. The response is the same whether or not the address is known.',
  access: anyone,
  proofOfWorkAfter: 10,
  status: 202,
  body: reminderFields,
  output: done('received'),
  errors: ['not_found'],
})

export const confirmSaleReminder = endpoint('POST', 'sale/reminder/confirm', {
  about: 'Confirm a reminder with the code from the email.',
  access: anyone,
  body: z.strictObject({ code: mailedCode }),
  output: done('confirmed'),
  errors: ['code_invalid'],
})

export const cancelSaleReminder = endpoint('POST', 'sale/reminder/cancel', {
  about:
    'Cancel a reminder and delete its address with the code from the email. An email that has not been sent yet is discarded. The response is the same if the reminder no longer exists.',
  access: anyone,
  body: z.strictObject({ code: mailedCode }),
  output: done('cancelled'),
})

/** The result of a reminder form that was sent without JavaScript. */
export type PostedReminder = {
  reminder:
    | { done: 'received' | 'confirmed' | 'cancelled' }
    | { problems: Readonly<Record<string, string>>; given: Readonly<Record<string, string>> }
}
