import { parseDecimal } from '../platform/decimal.ts'
import type { PayMethodSettings, RateReference, SaleTerms } from './sale.ts'
import { changesBetween, type FlatSettings } from '../people/settings.ts'

export const methodFields = [
  'isOpen',
  'chain',
  'currency',
  'rate',
  'minAmount',
  'maxAmount',
  'decimals',
  'receivingAddress',
] as const satisfies readonly (keyof PayMethodSettings)[]
type MethodField = (typeof methodFields)[number]

/** Splits a path such as `BTC.rate`. The code may contain a point; the field does not. */
export function methodPath(path: string): { code: string; field: MethodField } | undefined {
  const at = path.lastIndexOf('.')
  const field = methodFields.find((each) => each === path.slice(at + 1))
  return at > 0 && field ? { code: path.slice(0, at), field } : undefined
}

export const flattenSale = (terms: SaleTerms): FlatSettings => ({
  isOpen: String(terms.isOpen),
  quoteMinutes: String(terms.quoteMinutes),
  opensAt: terms.opensAt ?? '',
  closesAt: terms.closesAt ?? '',
  cap: terms.cap ?? '',
  memberCap: terms.memberCap ?? '',
  payMethods: JSON.stringify(terms.payMethods.map(({ code }) => code)),
  ...Object.fromEntries(
    terms.payMethods.flatMap((method) =>
      methodFields.map((field) => [`${method.code}.${field}`, String(method[field])]),
    ),
  ),
})

/** The inverse of `flattenSale`. Every listed payment method has all its fields. */
export function saleOfFlat(flat: FlatSettings): SaleTerms {
  const text = (path: string) => flat[path] ?? ''
  return {
    isOpen: text('isOpen') === 'true',
    quoteMinutes: Number(text('quoteMinutes')),
    opensAt: text('opensAt') || null,
    closesAt: text('closesAt') || null,
    cap: text('cap') || null,
    memberCap: text('memberCap') || null,
    payMethods: (JSON.parse(text('payMethods') || '[]') as string[]).map((code) => ({
      code,
      isOpen: text(`${code}.isOpen`) === 'true',
      chain: text(`${code}.chain`) as PayMethodSettings['chain'],
      currency: text(`${code}.currency`),
      rate: text(`${code}.rate`),
      minAmount: text(`${code}.minAmount`),
      maxAmount: text(`${code}.maxAmount`),
      decimals: Number(text(`${code}.decimals`)),
      receivingAddress: text(`${code}.receivingAddress`),
    })),
  }
}

/**
 * `from` is the rate to compare with, or null for a coin that was never offered. `percent` is null if there is nothing
 * to compare: the coin is new, or the code was used for another coin.
 */
export type RateChange = { code: string; from: string | null; to: string; percent: string | null }

export type Priced = Pick<PayMethodSettings, 'code' | 'chain' | 'currency' | 'rate'>

/** Bitcoin's chain has only one coin, whatever its currency is called. */
export const isSameCoin = (a: Priced, b: Priced): boolean =>
  coinName(a) === coinName(b) || (a.chain === 'bitcoin' && b.chain === 'bitcoin')

const coinName = ({ currency }: Priced): string => currency.normalize('NFKC').trim().toLowerCase()

/** The rates in force of the method itself, otherwise of its coin under other codes. */
export function ratesInForce(method: Priced, offered: readonly Priced[]): readonly Priced[] {
  const sameCoin = offered.filter((each) => isSameCoin(each, method))
  const own = sameCoin.filter(({ code }) => code === method.code)
  return own.length > 0 ? own : sameCoin
}

/**
 * The method's own rate 24 hours ago. If its code is newer, or had been removed by then while its coin was still
 * offered, the rate is also compared with other codes of the same coin, all from one version, because codes that were
 * removed long ago must not count against later ones.
 */
function ratesBefore(method: Priced, references: readonly RateReference[]): readonly Priced[] {
  const sameCoin = references.filter((each) => isSameCoin(each, method))
  const own = sameCoin.find(({ code }) => code === method.code)
  const newest = sameCoin.filter(({ version }) => version === sameCoin[0]!.version)
  if (!own) return newest
  return own.isDayOld && newest.includes(own) ? [own] : [...newest, own]
}

/**
 * Finds the rates that change. Each is compared with the rate in force and with the one 24 hours ago (`references`),
 * and the larger deviation counts, because a price can also change in many small steps, under another code, or by
 * removing and adding a method.
 */
export function rateChanges(
  before: { payMethods: readonly Priced[] },
  after: { payMethods: readonly Priced[] },
  references: readonly RateReference[],
): RateChange[] {
  return after.payMethods.flatMap((method): RateChange[] => {
    const { code, rate: to } = method
    const inForce = before.payMethods.find((each) => each.code === code)
    if (inForce && coinName(inForce) !== coinName(method))
      return [{ code, from: inForce.rate, to, percent: null }]
    if (inForce && isSameRate(inForce.rate, to)) return []
    const compared = [...ratesInForce(method, before.payMethods), ...ratesBefore(method, references)]
    if (compared.length === 0) {
      const other = references.find((each) => each.code === code)
      return [{ code, from: other?.rate ?? null, to, percent: null }]
    }
    const { rate: from } = compared.reduce((most, each) => (deviates(most.rate, each.rate, to) ? each : most))
    return isSameRate(from, to) ? [] : [{ code, from, to, percent: percentBetween(from, to) }]
  })
}

export const isSameRate = (one: string, other: string): boolean => parseDecimal(one) === parseDecimal(other)

/** Whether `to` deviates more from `other` than from `base`, in percent. */
function deviates(base: string, other: string, to: string): boolean {
  const [one, two, next] = [parseDecimal(base), parseDecimal(other), parseDecimal(to)]
  const distance = (from: bigint) => (next > from ? next - from : from - next)
  return distance(two) * one > distance(one) * two
}

/** Percentage with two decimal places, rounded towards zero: `9900`, `-12.5`. */
export function percentBetween(from: string, to: string): string | null {
  const base = parseDecimal(from)
  if (base === 0n) return null
  const hundredths = ((parseDecimal(to) - base) * 10_000n) / base
  const [sign, size] = hundredths < 0n ? ['-', -hundredths] : ['', hundredths]
  const digits = String(size).padStart(3, '0')
  const places = digits.slice(-2).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -2)}${places && '.'}${places}`
}

/**
 * Whether a rate changes by more than the given percentage in either direction, or belongs to another coin. A new coin
 * has nothing to compare with.
 */
export function isBeyondPercent({ from, to, percent }: Omit<RateChange, 'code'>, limit: number): boolean {
  if (from === null) return false
  if (percent === null) return true
  const [base, next] = [parseDecimal(from), parseDecimal(to)]
  const difference = next > base ? next - base : base - next
  return difference * 100n > base * BigInt(limit)
}

/**
 * Whether a change only restricts the offer: it closes the sale or a method, or removes a method. Such a change never
 * requires four-eyes approval, because a wrong price or a stolen address must be stopped at once.
 */
export function onlyCloses(before: SaleTerms, after: SaleTerms): boolean {
  const kept = before.payMethods.filter(({ code }) => after.payMethods.some((each) => each.code === code))
  const asClosed = {
    ...before,
    isOpen: before.isOpen && after.isOpen,
    payMethods: kept.map((method) => {
      const next = after.payMethods.find(({ code }) => code === method.code)
      return { ...method, isOpen: method.isOpen && next?.isOpen === true }
    }),
  }
  return changesBetween(flattenSale(asClosed), flattenSale(after)).every(({ path }) => path === 'payMethods')
}

type AddressChange = { code: string; from: string; to: string }

/**
 * Receiving addresses that change: a payment method with another address, or a new one. Removing a method, or
 * offering it again with its previous address, redirects no payments.
 */
export function addressChanges(
  before: Pick<SaleTerms, 'payMethods'>,
  after: Pick<SaleTerms, 'payMethods'>,
): AddressChange[] {
  const old = new Map(before.payMethods.map((method) => [method.code, method.receivingAddress]))
  return after.payMethods
    .filter(({ code, receivingAddress }) => old.get(code) !== receivingAddress)
    .map(({ code, receivingAddress }) => ({ code, from: old.get(code) ?? '', to: receivingAddress }))
}
