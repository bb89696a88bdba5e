import { parseDecimal } from './decimal.ts'
import type { PayMethodSettings, SaleTerms } from './sale.ts'
import type { FlatSettings } from './settings.ts'

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
export type MethodField = (typeof methodFields)[number]

/** Of `BTC.rate`: a code may hold a point, a field does not. */
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

/** The other way. A method that the list names has all its fields. */
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

/** `percent` is null where the old rate is of another coin, so that nothing can be compared. */
export type RateChange = { code: string; from: string; to: string; percent: string | null }

/**
 * Prices that are others from now on. A method that is new is compared with one of the same coin: a price also changes under
 * another name.
 */
export function rateChanges(
  before: Pick<SaleTerms, 'payMethods'>,
  after: Pick<SaleTerms, 'payMethods'>,
): RateChange[] {
  return after.payMethods.flatMap(({ code, currency, rate }): RateChange[] => {
    const own = before.payMethods.find((method) => method.code === code)
    const same =
      own?.currency === currency ? own : before.payMethods.find((each) => each.currency === currency)
    if (same)
      return same.rate === rate
        ? []
        : [{ code, from: same.rate, to: rate, percent: percentBetween(same.rate, rate) }]
    return own ? [{ code, from: own.rate, to: rate, percent: null }] : []
  })
}

/** With two digits after the point, rounded towards zero: `9900`, `-12.5`. */
export function percentBetween(from: string, to: string): string | null {
  const base = parseDecimal(from)
  if (base === 0n) return null
  const hundredths = ((parseDecimal(to) - base) * 10_000n) / base
  const [sign, size] = hundredths < 0n ? ['-', -hundredths] : ['', hundredths]
  const digits = String(size).padStart(3, '0')
  const places = digits.slice(-2).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -2)}${places && '.'}${places}`
}

/** Whether it is more than so many percent up or down, or cannot be compared. */
export function isBeyondPercent({ from, to, percent }: Omit<RateChange, 'code'>, limit: number): boolean {
  if (percent === null) return true
  const [base, next] = [parseDecimal(from), parseDecimal(to)]
  const difference = next > base ? next - base : base - next
  return difference * 100n > base * BigInt(limit)
}

export type AddressChange = { code: string; from: string; to: string }

/**
 * Where payments would go from now on: a pay method with another address, or a new one. A method that goes, and one that comes
 * back into the offer with the address it had, moves nothing.
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
