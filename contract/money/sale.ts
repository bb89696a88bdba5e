import * as z from 'zod/mini'
import { decimal, decimalPlaces } from '../platform/decimal.ts'
import { endpoint, member, staff } from '../platform/endpoint.ts'
import { addressLengthMax, timeInput, id, requiredLine, time } from '../platform/fields.ts'
import { displayRates } from './display-rates.ts'
import { currencyLengthMax, payMethodLengthMax } from './orders.ts'
import { bonusTiers } from './round-bonus.ts'
import { roundIdLengthMax, roundName, roundsMax, saleRound, type SaleRound } from './sale-rounds.ts'
import { tranche, vestingPlan } from './vesting.ts'
import { settingChange, whoChanged } from '../people/settings.ts'

const payMethodsMax = 20
const quoteMinutesMax = 24 * 60

/** Format of a payment address and its URI. `other` accepts any line of text. */
export const payChains = ['bitcoin', 'ethereum', 'other'] as const
export const payChain = z.enum(payChains, 'one_of')
export type PayChain = (typeof payChains)[number]

const currency = requiredLine(currencyLengthMax)

const offered = {
  code: requiredLine(payMethodLengthMax),
  chain: payChain,
  /** Tokens per unit of the coin. */
  rate: decimal,
  minAmount: decimal,
  maxAmount: decimal,
  /** Number of decimal places of an amount. */
  decimals: z.int('number').check(z.gte(0, 'number'), z.lte(decimalPlaces, 'number')),
}

/** The offer of the sale to a member. Addresses are shown only with an order. */
export const sale = z.object({
  /** Opened by staff, and within the sale period. */
  isOpen: z.boolean(),
  quoteMinutes: z.number(),
  opensAt: z.nullable(time),
  closesAt: z.nullable(time),
  /** Hours after which an order without a reported payment is canceled. */
  payHours: z.number(),
  payMethods: z.array(z.object({ ...offered, currency })),
  displayRates,
  /** The round that is open now. Null without rounds, and between them. */
  round: z.nullable(
    z.object({
      name: roundName,
      closesAt: z.nullable(time),
      /** Tokens left in the round, and for the caller. Null without a cap. */
      left: z.nullable(z.string()),
      memberLeft: z.nullable(z.string()),
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
  /** Whether the caller can order in the round, and why not. */
  isAdmitted: z.boolean(),
  why: z.nullable(z.enum(['listed', 'country'])),
})
export type Sale = z.infer<typeof sale>

const settings = {
  ...offered,
  isOpen: z.boolean(),
  receivingAddress: requiredLine(addressLengthMax),
}
const payMethodSettings = z.object({ ...settings, currency })
export type PayMethodSettings = z.infer<typeof payMethodSettings>
/** Without a `currency`, amounts are in the coin that the code names, otherwise in the default currency. */
const payMethodInput = z.strictObject({ ...settings, currency: z.optional(currency) })
export type PayMethodInput = z.infer<typeof payMethodInput>

const terms = {
  isOpen: z.boolean(),
  quoteMinutes: z.number(),
  /**
   * Start and end of the sale period; orders are refused from `closesAt` on. Orders placed since `opensAt` count toward
   * the caps; if it is null, all orders do.
   */
  opensAt: z.nullable(time),
  closesAt: z.nullable(time),
  /** Maximum number of tokens in all orders together, and in those of one member. Canceled orders do not count. */
  cap: z.nullable(z.string()),
  memberCap: z.nullable(z.string()),
  payMethods: z.array(payMethodSettings),
}
/** Sale settings that staff can change. */
const saleTerms = z.object(terms)
/** Without `rounds`, they do not change: settings that were saved or proposed before there were rounds have none. */
export type SaleTerms = z.infer<typeof saleTerms> & { rounds?: SaleRound[] }

/** A change that awaits a second approval. It ends when it expires or when the settings are changed in another way. */
const saleProposal = z.object({
  id,
  by: whoChanged,
  at: time,
  expiresAt: time,
  changes: z.array(settingChange),
})
export type SaleProposal = z.infer<typeof saleProposal>

/**
 * The rate of a method 24 hours ago. If the method was not offered then, its last rate before that or its first one
 * after it. With a `period`, the rate that the settings of 24 hours ago state for a round, or for all times if they have
 * no rounds; the code is then that of the rate.
 */
const rateReference = z.object({
  version: z.string(),
  /** Whether that version is at least 24 hours old. */
  isDayOld: z.boolean(),
  code: z.string(),
  chain: payChain,
  currency: z.string(),
  rate: z.string(),
  period: z.optional(z.object({ opensAt: z.nullable(time), closesAt: z.nullable(time) })),
})
export type RateReference = z.infer<typeof rateReference>

export const saleSettings = z.object({
  ...terms,
  rounds: z.array(saleRound),
  /** Tokens that count toward the cap; null if there is no cap. */
  sold: z.nullable(z.string()),
  proposal: z.nullable(saleProposal),
  /** Whether changes other than closing require a second approval. */
  takesTwo: z.boolean(),
  /** A rate change above this percentage must be confirmed by typing the rate again. */
  rateChangePercent: z.number(),
  /** Rates that new rates are compared with, in addition to those in force, most significant first. */
  rateReferences: z.array(rateReference),
  /** Null until the sale is set up. Until then, orders need no quote. */
  lastUpdated: z.nullable(time),
})
export type SaleSettings = z.infer<typeof saleSettings>

/**
 * A price reserved for one order of one member. `rate` includes the bonus, and `fabQty` is amount × rate, rounded down to
 * 8 decimal places.
 */
export const quote = z.object({
  quoteId: id,
  payMethod: z.string(),
  amount: z.string(),
  /** Unit of the amount. */
  currency: z.string(),
  rate: z.string(),
  fabQty: z.string(),
  /** Null without rounds. */
  roundName: z.nullable(roundName),
  /** Tokens before the bonus, and the rate that they are calculated with. */
  baseRate: z.string(),
  baseQty: z.string(),
  bonusPercent: z.string(),
  /** When which part of the tokens is due after the completion of the order. */
  deliveries: z.array(tranche),
  expiresAt: time,
})
export type Quote = z.infer<typeof quote>

export const getSale = endpoint('GET', 'sale', {
  about: 'Get the coins and payment methods of the current sale.',
  access: member,
  output: sale,
})

export const createQuote = endpoint('POST', 'icotx/quote', {
  about: 'Get a quote for an order, as decimal text. Requires an approved identity and an open sale.',
  access: member,
  status: 201,
  body: z.strictObject({ payMethod: requiredLine(payMethodLengthMax), amount: decimal }),
  output: quote,
  errors: ['identity_needed', 'sale_closed', 'cap_reached', 'own_price', 'not_admitted'],
})

export const getSaleSettings = endpoint('GET', 'admin/sale', {
  about: 'Get the sale settings, including receiving addresses.',
  access: staff('coins', 1),
  output: saleSettings,
})

/** Input for the sale settings. If the sale period or the caps are omitted, they do not change. */
export const saleInput = z.strictObject({
  isOpen: z.boolean(),
  quoteMinutes: z.int('number').check(z.gte(1, 'number'), z.lte(quoteMinutesMax, 'number')),
  opensAt: z.optional(z.nullable(timeInput)),
  closesAt: z.optional(z.nullable(timeInput)),
  cap: z.optional(z.nullable(decimal)),
  memberCap: z.optional(z.nullable(decimal)),
  payMethods: z.array(payMethodInput).check(z.maxLength(payMethodsMax, 'too_many')),
  rounds: z.optional(z.array(saleRound).check(z.maxLength(roundsMax, 'too_many'))),
})
export type SaleInput = z.infer<typeof saleInput>

/** The code of the payment method, or `<round>/<code>` for the price of a round. */
export const rateCode = requiredLine(roundIdLengthMax + 1 + payMethodLengthMax)

/** Rates typed again for confirmation, by their codes. Required for each change above `rateChangePercent`. */
export const confirmedRates = z.optional(z.record(rateCode, decimal))

/**
 * Replaces all settings. Writes nothing if `lastUpdated` is not the stored value. The settings can be sent back as they
 * were read: fields that the server sets are ignored. If a new receiving address or a changed rate requires four-eyes
 * approval, only a `proposal` with the whole input is written.
 */
export const updateSaleSettings = endpoint('POST', 'admin/sale', {
  about:
    'Update the sale settings. Existing orders keep their terms, and the person who made the change cannot place orders for 24 hours. A large rate change must also be entered in `confirmedRates`.',
  access: staff('coins', 2),
  body: z.strictObject({
    ...saleInput.shape,
    lastUpdated: z.optional(z.nullable(time)),
    sold: z.optional(z.unknown()),
    proposal: z.optional(z.unknown()),
    takesTwo: z.optional(z.unknown()),
    rateChangePercent: z.optional(z.unknown()),
    rateReferences: z.optional(z.unknown()),
    confirmedRates,
  }),
  output: saleSettings,
  errors: ['conflict', 'step_up_required'],
})
