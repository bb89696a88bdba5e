import { parseDecimal } from '../platform/decimal.ts'
import { decimalPattern } from '../platform/fields.ts'
import type { PayMethodSettings, RateReference, SaleTerms } from './sale.ts'
import type { SaleRound } from './sale-rounds.ts'
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
  ...(terms.rounds && {
    rounds: JSON.stringify(terms.rounds.map(({ id }) => id)),
    ...Object.fromEntries(
      terms.rounds.flatMap((round) =>
        Object.entries(flattenRound(round)).map(([path, value]) => [`${round.id}/${path}`, value]),
      ),
    ),
  }),
})

const priceFields = ['rate', 'minAmount', 'maxAmount'] as const

/** A round as one line of text per value. In the settings of the sale, its ID and a slash precede each path. */
export const flattenRound = (round: SaleRound): FlatSettings => ({
  nameEn: round.name.en,
  nameCn: round.name.cn,
  opensAt: round.opensAt ?? '',
  closesAt: round.closesAt ?? '',
  cap: round.cap ?? '',
  memberCap: round.memberCap ?? '',
  admission: round.admission,
  excludedCountries: JSON.stringify(round.excludedCountries),
  bonus: JSON.stringify(round.bonus.map(({ from, percent }) => ({ from, percent }))),
  vesting: JSON.stringify(orderedPlan(round.vesting)),
  payMethods: JSON.stringify(round.prices.map(({ code }) => code)),
  ...Object.fromEntries(
    round.prices.flatMap((price) => priceFields.map((field) => [`${price.code}.${field}`, price[field]])),
  ),
})

/** Equal plans become equal text: the database does not keep the order of fields. */
function orderedPlan({ first, later }: SaleRound['vesting']): SaleRound['vesting'] {
  if (later === null) return { first, later }
  if (later.kind === 'linear') {
    const { kind, wait, parts, unit } = later
    return { first, later: { kind, wait, parts, unit } }
  }
  const parts = later.parts.map(({ after, unit, percent }) => ({ after, unit, percent }))
  return { first, later: { kind: 'tranches', parts } }
}

/** The inverse of `flattenRound`. */
function roundOfFlat(id: string, text: (path: string) => string): SaleRound {
  return {
    id,
    name: { en: text('nameEn'), cn: text('nameCn') },
    opensAt: text('opensAt') || null,
    closesAt: text('closesAt') || null,
    cap: text('cap') || null,
    memberCap: text('memberCap') || null,
    admission: text('admission') as SaleRound['admission'],
    excludedCountries: JSON.parse(text('excludedCountries')) as string[],
    bonus: JSON.parse(text('bonus')) as SaleRound['bonus'],
    vesting: JSON.parse(text('vesting')) as SaleRound['vesting'],
    prices: (JSON.parse(text('payMethods')) as string[]).map((code) => ({
      code,
      rate: text(`${code}.rate`),
      minAmount: text(`${code}.minAmount`),
      maxAmount: text(`${code}.maxAmount`),
    })),
  }
}

/** Splits a path such as `<round>/BTC.rate` of one of the rounds. */
export function roundPath(flat: FlatSettings, path: string): { id: string; path: string } | undefined {
  const at = path.indexOf('/')
  const id = path.slice(0, at)
  return at > 0 && (JSON.parse(flat['rounds'] ?? '[]') as string[]).includes(id)
    ? { id, path: path.slice(at + 1) }
    : undefined
}

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
    ...(flat['rounds'] !== undefined && {
      rounds: (JSON.parse(flat['rounds']) as string[]).map((id) =>
        roundOfFlat(id, (path) => text(`${id}/${path}`)),
      ),
    }),
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
 * Finds the rates that change, in the sale and in its rounds. Each is compared with the rate in force and with the one
 * 24 hours ago (`references`), and the larger deviation counts, because a price can also change in many small steps,
 * under another code, or by removing and adding a method or a round. A rate that is not a number yet does not count.
 */
export function rateChanges(
  before: PricedTerms,
  after: PricedTerms,
  references: readonly RateReference[],
): RateChange[] {
  const ofSale = after.payMethods.flatMap((method): RateChange[] => {
    const { code } = method
    const to = method.rate.trim()
    if (!decimalPattern.test(to)) return []
    const inForce = before.payMethods.find((each) => each.code === code)
    if (inForce && coinName(inForce) !== coinName(method))
      return [{ code, from: inForce.rate, to, percent: null }]
    const ofRounds = pricesWithoutRounds(before, after, code)
    if (inForce && isSameRate(inForce.rate, to) && ofRounds.length === 0) return []
    const compared = [
      ...ratesInForce(method, before.payMethods),
      ...ratesBefore(method, references),
      ...ofRounds,
    ].map(({ rate }) => rate)
    if (compared.length === 0) {
      const other = references.find((each) => each.code === code)
      return [{ code, from: other?.rate ?? null, to, percent: null }]
    }
    return changeFrom(compared, { code, to })
  })
  return [...ofSale, ...roundRateChanges(before, after, references)]
}

type PricedTerms = { payMethods: readonly Priced[]; rounds?: readonly SaleRound[] }

/** The change from the rate that deviates most; none if all are the same. */
function changeFrom(
  compared: readonly string[],
  { code, to }: Pick<RateChange, 'code' | 'to'>,
): RateChange[] {
  const from = compared.reduce((most, each) => (deviates(most, each, to) ? each : most))
  return isSameRate(from, to) ? [] : [{ code, from, to, percent: percentBetween(from, to) }]
}

/** If the last round goes, the prices of the sale replace those of its rounds. */
const pricesWithoutRounds = (before: PricedTerms, { rounds }: PricedTerms, code: string) =>
  rounds?.length === 0
    ? (before.rounds ?? []).flatMap(({ prices }) => prices.filter((price) => price.code === code))
    : []

const startOf = ({ opensAt }: SaleRound): number => (opensAt === null ? -Infinity : Date.parse(opensAt))

/**
 * A price of a round is compared with the one that the round had. A new round is compared with the one that applied at
 * its start, or else with the one before that. The price of the sale applies in a round without one. The code is
 * `<round>/<code>`.
 */
function roundRateChanges(
  before: PricedTerms,
  after: PricedTerms,
  references: readonly RateReference[],
): RateChange[] {
  const stored = before.rounds ?? []
  return (after.rounds ?? stored).flatMap((round) => {
    const own = stored.find(({ id }) => id === round.id)
    const former =
      own ??
      stored
        .filter((each) => startOf(each) <= startOf(round))
        .toSorted((a, b) => startOf(a) - startOf(b))
        .at(-1)
    return after.payMethods.flatMap((method): RateChange[] => {
      const code = `${round.id}/${method.code}`
      const [price, formerPrice] = [priceIn(round, method.code), priceIn(former, method.code)]
      // Both follow the sale, whose change counts already.
      if (price === undefined && formerPrice === undefined) return []
      const to = (price ?? method.rate).trim()
      if (!decimalPattern.test(to)) return []
      const from = formerPrice ?? before.payMethods.find((each) => each.code === method.code)?.rate
      if (own && from !== undefined && isSameRate(from, to)) return []
      const dayOld = references.find((each) => each.code === code)?.rate
      const compared = [from, dayOld].filter((rate) => rate !== undefined)
      return compared.length === 0
        ? [{ code, from: null, to, percent: null }]
        : changeFrom(compared, { code, to })
    })
  })
}

const priceIn = (round: SaleRound | undefined, code: string): string | undefined =>
  round?.prices.find((price) => price.code === code)?.rate

/**
 * The settings with each price of a round as a payment method of its own. Its code is `<round>/<code>`, and so is its
 * coin, because it is only compared with itself.
 */
export function withRoundPrices(terms: SaleTerms): SaleTerms {
  const ofRounds = (terms.rounds ?? []).flatMap(({ id, prices }) =>
    prices.flatMap(({ code: ofMethod, ...price }): PayMethodSettings[] => {
      const method = terms.payMethods.find(({ code }) => code === ofMethod)
      const code = `${id}/${ofMethod}`
      return method ? [{ ...method, ...price, code, currency: code, chain: 'other' }] : []
    }),
  )
  return { ...terms, payMethods: [...terms.payMethods, ...ofRounds] }
}

/** Names the price of a round for people, for example `Public 1: BTC`. */
export function nameRate(code: string, terms: SaleTerms, language: 'en' | 'cn'): string {
  const round = terms.rounds?.find(({ id }) => code.startsWith(`${id}/`))
  return round ? `${round.name[language]}: ${code.slice(round.id.length + 1)}` : code
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
 * Whether a change only restricts the offer: it closes the sale or a method, removes a method with its prices in rounds,
 * or ends or removes a round. Such a change never requires four-eyes approval, because a wrong price or a stolen address must be stopped at once.
 */
export function onlyCloses(before: SaleTerms, after: SaleTerms): boolean {
  const next = after.rounds ?? before.rounds ?? []
  // Without any round, the sale has its own prices, at any time.
  if (next.length === 0 && (before.rounds ?? []).length > 0) return false
  const rounds = (before.rounds ?? [])
    .flatMap((round) => asShortened(round, next))
    .map((round) => withPricesOf(round, after.payMethods))
  const kept = before.payMethods.filter(({ code }) => after.payMethods.some((each) => each.code === code))
  const asClosed = {
    ...before,
    isOpen: before.isOpen && after.isOpen,
    payMethods: kept.map((method) => {
      const next = after.payMethods.find(({ code }) => code === method.code)
      return { ...method, isOpen: method.isOpen && next?.isOpen === true }
    }),
    rounds,
  }
  return changesBetween(flattenSale(asClosed), flattenSale({ ...after, rounds: next })).every(
    ({ path }) => path === 'payMethods',
  )
}

/** The round without prices of methods that the sale no longer has. */
const withPricesOf = (round: SaleRound, payMethods: readonly { code: string }[]): SaleRound => ({
  ...round,
  prices: round.prices.filter((price) => payMethods.some(({ code }) => code === price.code)),
})

/** The round as it is after the change if that ends it earlier, and nothing if that removes it. */
function asShortened(round: SaleRound, rounds: readonly SaleRound[]): SaleRound[] {
  const next = rounds.find(({ id }) => id === round.id)
  if (!next) return []
  const isEarlier =
    next.closesAt !== null &&
    (round.closesAt === null || Date.parse(next.closesAt) <= Date.parse(round.closesAt))
  return [isEarlier ? { ...round, closesAt: next.closesAt } : round]
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
