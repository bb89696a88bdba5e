import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress } from '#contract/platform/chain-address.ts'
import {
  decimalPlaces,
  parseDecimal,
  placesOf,
  shortDecimal,
  writeDecimal,
} from '#contract/platform/decimal.ts'
import type { PayMethodInput, SaleTerms } from '#contract/money/sale.ts'
import { bonusFor, raiseRate, type BonusTier } from '#contract/money/round-bonus.ts'
import { amountNeeded } from '#contract/money/token-price.ts'
import { refusedField, type FieldRefusal, type Refused } from '../../platform/refused.ts'
import type { PayMethodRow } from './sale.queries.ts'

const one = 10n ** BigInt(decimalPlaces)
/** Maximum number of tokens that a column can hold, in the token's smallest unit. */
const quantityMax = 10n ** BigInt(20 + decimalPlaces)

/** Rejects an amount outside the method's limits. */
export function requireWithinMethod(method: PayMethodRow, amount: string): void {
  const given = parseDecimal(amount)
  if (placesOf(amount) > method.decimals)
    throw refusedField('amount', 'too_precise', { max: method.decimals })
  if (given === 0n || given < parseDecimal(method.min_amount)) throw tooLittle(method)
  if (given > parseDecimal(method.max_amount))
    throw refusedField('amount', 'too_much', { max: shortDecimal(method.max_amount) })
}

export type Quoted = { fabQty: string; rate: string; baseQty: string; bonusPercent: string }

/**
 * Returns the quantity for an amount with its bonus, rounded down to the token's smallest unit. Rejects an amount outside
 * the method's limits.
 */
export function quoteAmount(method: PayMethodRow, amount: string, bonus: readonly BonusTier[] = []): Quoted {
  requireWithinMethod(method, amount)
  const { tokens, rate, base, percent } = bonusFor(parseDecimal(amount), parseDecimal(method.rate), bonus)
  // Rejects less than the smallest unit of the token, and more than a column can hold.
  if (base === 0n) throw tooLittle(method)
  if (tokens >= quantityMax)
    throw refusedField('amount', 'too_much', { max: shortDecimal(method.max_amount) })
  return {
    fabQty: writeDecimal(tokens),
    rate: writeDecimal(rate),
    baseQty: writeDecimal(base),
    bonusPercent: percent,
  }
}

/** Returns the largest amount, in the method's decimal places, that buys no more than `tokens` with its bonus. */
export function amountFor(
  method: Pick<PayMethodRow, 'rate' | 'decimals'>,
  tokens: bigint,
  bonus: readonly BonusTier[] = [],
): bigint {
  const unit = 10n ** BigInt(decimalPlaces - method.decimals)
  const rate = parseDecimal(method.rate)
  const atBonus = ['0', ...bonus.map(({ percent }) => percent)].map(
    (percent) => ((tokens * one) / raiseRate(rate, percent) / unit) * unit,
  )
  // Where a bonus begins, the quantity jumps, and only what is below the jump may fit.
  const belowBonus = bonus.map(({ from }) => amountNeeded(parseDecimal(from), rate, method.decimals) - unit)
  return [...atBonus, ...belowBonus]
    .filter((amount) => bonusFor(amount, rate, bonus).tokens <= tokens)
    .reduce((most, amount) => (amount > most ? amount : most), 0n)
}

const tooLittle = (method: PayMethodRow): Refused =>
  refusedField('amount', 'too_little', { min: shortDecimal(method.min_amount) })

/**
 * Lists problems of a payment method at `payMethods.<index>`, so that a typing error can't give tokens away or lose
 * coins.
 */
function problemsOf(method: PayMethodInput, index: number, codes: readonly string[]): FieldRefusal[] {
  const at = (name: string) => `payMethods.${index}.${name}`
  const problems: FieldRefusal[] = []
  if (codes.indexOf(method.code) < index) problems.push({ path: at('code'), code: 'already_listed' })
  if (parseDecimal(method.rate) === 0n)
    problems.push({ path: at('rate'), code: 'too_little', values: { min: '0.000000000000000001' } })
  if (parseDecimal(method.maxAmount) < parseDecimal(method.minAmount))
    problems.push({ path: at('maxAmount'), code: 'too_little', values: { min: method.minAmount } })
  if (method.chain !== 'other') {
    const checked = checkAddress(method.chain, method.receivingAddress, brand.chain)
    if ('problem' in checked) problems.push({ path: at('receivingAddress'), code: checked.problem })
  }
  return problems
}

/** Excludes letters of other scripts and invisible characters, which could make two methods look alike. */
const plainName = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9._-])?$/

export const isPlainName = (name: string): boolean => plainName.test(name)

/** Names stored before these rules are still accepted. */
function problemsOfNames(
  { payMethods }: Pick<SaleTerms, 'payMethods'>,
  before: Pick<SaleTerms, 'payMethods'>,
): FieldRefusal[] {
  return payMethods.flatMap((method, index) => {
    const stored = before.payMethods.find(({ code }) => code === method.code)
    const isStored = { code: stored !== undefined, currency: stored?.currency === method.currency }
    const likeCode = payMethods.findIndex(({ code }) => code.toLowerCase() === method.code.toLowerCase())
    // Two codes that differ only in case would be confused.
    const isTaken = !isStored.code && likeCode < index && payMethods[likeCode]!.code !== method.code
    const taken: FieldRefusal[] = isTaken
      ? [{ path: `payMethods.${index}.code`, code: 'already_listed' }]
      : []
    const strange = (['code', 'currency'] as const)
      .filter((name) => !isStored[name] && !isPlainName(method[name]))
      .map((name): FieldRefusal => ({ path: `payMethods.${index}.${name}`, code: 'plain_letters' }))
    return [...taken, ...strange]
  })
}

/** Lists problems of the settings as a whole and of each method. */
export function problemsOfSale(terms: SaleTerms, before: Pick<SaleTerms, 'payMethods'>): FieldRefusal[] {
  const codes = terms.payMethods.map(({ code }) => code)
  const problems: FieldRefusal[] = terms.payMethods.flatMap((method, index) =>
    problemsOf(method, index, codes),
  )
  problems.push(...problemsOfNames(terms, before))
  if (terms.opensAt && terms.closesAt && terms.closesAt <= terms.opensAt)
    problems.push({ path: 'closesAt', code: 'invalid' })
  for (const path of ['cap', 'memberCap'] as const)
    if (terms[path] !== null && parseDecimal(terms[path]) === 0n)
      problems.push({ path, code: 'too_little', values: { min: '0.00000001' } })
  return problems
}

/** Returns the method with the receiving address in the canonical form of its chain. */
export function withCheckedAddress(method: PayMethodInput): PayMethodInput {
  if (method.chain === 'other') return method
  const checked = checkAddress(method.chain, method.receivingAddress, brand.chain)
  return 'address' in checked ? { ...method, receivingAddress: checked.address } : method
}
