import * as z from 'zod/mini'
import { decimal, decimalPlaces } from './decimal.ts'
import { endpoint, member, staff } from './endpoint.ts'
import { givenTime, id, requiredLine, time } from './fields.ts'
import { addressLengthMax, currencyLengthMax, payMethodLengthMax } from './orders.ts'
import { settingChange, whoChanged } from './settings.ts'

export const payMethodsMax = 20
export const quoteMinutesMax = 24 * 60

/** How a payment is addressed and named: `other` is paid to any line of text. */
export const payChains = ['bitcoin', 'ethereum', 'other'] as const
export const payChain = z.enum(payChains, 'one_of')
export type PayChain = (typeof payChains)[number]

const currency = requiredLine(currencyLengthMax)

const offered = {
  code: requiredLine(payMethodLengthMax),
  chain: payChain,
  /** The tokens that one unit of the coin buys. */
  rate: decimal,
  minAmount: decimal,
  maxAmount: decimal,
  /** Digits after the point that an amount may have. */
  decimals: z.int('number').check(z.gte(0, 'number'), z.lte(decimalPlaces, 'number')),
}

/** What the sale offers a member. Addresses are shown with an order only. */
export const sale = z.object({
  /** Opened by its operators, and within its window. */
  isOpen: z.boolean(),
  quoteMinutes: z.number(),
  opensAt: z.nullable(time),
  closesAt: z.nullable(time),
  /** How long after it was placed an order is cancelled if no payment was reported. */
  payHours: z.number(),
  payMethods: z.array(z.object({ ...offered, currency })),
})
export type Sale = z.infer<typeof sale>

const settings = {
  ...offered,
  isOpen: z.boolean(),
  receivingAddress: requiredLine(addressLengthMax),
}
const payMethodSettings = z.object({ ...settings, currency })
export type PayMethodSettings = z.infer<typeof payMethodSettings>
/** Without a `currency` amounts are counted in the coin that the code names, or else in the default currency. */
const givenPayMethod = z.strictObject({ ...settings, currency: z.optional(currency) })
export type GivenPayMethod = z.infer<typeof givenPayMethod>

const terms = {
  isOpen: z.boolean(),
  quoteMinutes: z.number(),
  /** Nothing is sold before, nor from `closesAt` on. Orders placed since then count towards the caps, or else all. */
  opensAt: z.nullable(time),
  closesAt: z.nullable(time),
  /** The most tokens that all orders together, and those of one member, take. Cancelled orders do not count. */
  cap: z.nullable(z.string()),
  memberCap: z.nullable(z.string()),
  payMethods: z.array(payMethodSettings),
}
/** What operators decide about the sale. */
const saleTerms = z.object(terms)
export type SaleTerms = z.infer<typeof saleTerms>

/** A change that waits for a second person, until it expires or the settings change otherwise. */
export const saleProposal = z.object({
  id,
  by: whoChanged,
  at: time,
  expiresAt: time,
  changes: z.array(settingChange),
})
export type SaleProposal = z.infer<typeof saleProposal>

export const saleSettings = z.object({
  ...terms,
  /** The tokens that count towards the cap; null where there is none. */
  sold: z.nullable(z.string()),
  proposal: z.nullable(saleProposal),
  /** Whether a new receiving address or another rate waits for a second person. */
  takesTwo: z.boolean(),
  /** A rate that changes by more than so many percent is typed once more. */
  rateChangePercent: z.number(),
  /** Null until the sale is set up: orders are then taken without quotes. */
  lastUpdated: z.nullable(time),
})
export type SaleSettings = z.infer<typeof saleSettings>

/** A price that holds for one order of one member. `fabQty` is amount × rate, rounded down to 8 digits. */
export const quote = z.object({
  quoteId: id,
  payMethod: z.string(),
  amount: z.string(),
  /** What the amount is counted in. */
  currency: z.string(),
  rate: z.string(),
  fabQty: z.string(),
  expiresAt: time,
})
export type Quote = z.infer<typeof quote>

export const getSale = endpoint('GET', 'sale', {
  about: 'What can be ordered and how it can be paid.',
  access: member,
  output: sale,
})

export const createQuote = endpoint('POST', 'icotx/quote', {
  about: 'A price for an order, as decimal text. Needs an approved identity and an open sale.',
  access: member,
  status: 201,
  body: z.strictObject({ payMethod: requiredLine(payMethodLengthMax), amount: decimal }),
  output: quote,
  errors: ['identity_needed', 'sale_closed', 'cap_reached', 'own_price'],
})

export const getSaleSettings = endpoint('GET', 'admin/sale', {
  about: 'The settings of the sale, receiving addresses included.',
  access: staff('coins', 1),
  output: saleSettings,
})

/** What is typed to set the sale up. Without window and caps these stay as they are. */
export const givenSale = z.strictObject({
  isOpen: z.boolean(),
  quoteMinutes: z.int('number').check(z.gte(1, 'number'), z.lte(quoteMinutesMax, 'number')),
  opensAt: z.optional(z.nullable(givenTime)),
  closesAt: z.optional(z.nullable(givenTime)),
  cap: z.optional(z.nullable(decimal)),
  memberCap: z.optional(z.nullable(decimal)),
  payMethods: z.array(givenPayMethod).check(z.maxLength(payMethodsMax, 'too_many')),
})
export type GivenSale = z.infer<typeof givenSale>

/** By the code of the pay method, the new rate as it was typed once more. Needed of each rate that changes by more than `rateChangePercent`. */
export const confirmedRates = z.optional(z.record(requiredLine(payMethodLengthMax), decimal))

/**
 * The whole record is replaced. With a `lastUpdated` that is not the stored one nothing is written. What was read may be sent
 * back: what the server says beside the settings is ignored. Where a new receiving address or another rate takes two, nothing is written but a
 * `proposal`, with the whole of what was given.
 */
export const updateSaleSettings = endpoint('POST', 'admin/sale', {
  about:
    'Change the settings of the sale. Orders that are placed keep what they were placed with; whoever changes them buys nothing for a day. A rate that changes much has to be given twice, in `confirmedRates` too.',
  access: staff('coins', 2),
  body: z.strictObject({
    ...givenSale.shape,
    lastUpdated: z.optional(z.nullable(time)),
    sold: z.optional(z.unknown()),
    proposal: z.optional(z.unknown()),
    takesTwo: z.optional(z.unknown()),
    rateChangePercent: z.optional(z.unknown()),
    confirmedRates,
  }),
  output: saleSettings,
  errors: ['conflict', 'step_up_required'],
})
