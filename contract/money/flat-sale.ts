import { parseDecimal } from '../platform/decimal.ts'
import { decimalPattern } from '../platform/fields.ts'
import type { PayMethodSettings, RateReference, SaleTerms } from './sale.ts'
import type { SaleRound } from './sale-rounds.ts'
import { changesBetween, type FlatSettings, type SettingChange } from '../people/settings.ts'

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

export const priceFields = ['rate', 'minAmount', 'maxAmount'] as const

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
  payMethods: JSON.stringify(round.prices.map(({ code }) => code).toSorted()),
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
export function roundOfFlat(id: string, flat: FlatSettings): SaleRound {
  const text = (path: string) => flat[path] ?? ''
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

/** The settings of one round, without its ID in their paths. */
const settingsOfRound = (id: string, flat: FlatSettings): FlatSettings =>
  Object.fromEntries(
    Object.entries(flat).flatMap(([path, value]) =>
      path.startsWith(`${id}/`) ? [[path.slice(id.length + 1), value]] : [],
    ),
  )

export type RoundNames = Readonly<Record<string, SaleRound['name']>>

/** The names of the rounds in the settings, and of those that the changes add or remove, by ID. */
export function roundNamesIn(flat: FlatSettings, changes: readonly SettingChange[]): RoundNames {
  const changed = changes.map(({ path, from, to }) => [path, from ?? to ?? ''])
  const values: FlatSettings = { ...Object.fromEntries(changed), ...flat }
  return Object.fromEntries(
    Object.entries(values).flatMap(([path, en]) => {
      const [id, name] = path.split('/')
      return name === 'nameEn' ? [[id, { en, cn: values[`${id}/nameCn`] ?? en }]] : []
    }),
  )
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
        roundOfFlat(id, settingsOfRound(id, flat)),
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

type PricedTerms = {
  payMethods: readonly Priced[]
  rounds?: readonly Pick<SaleRound, 'id' | 'opensAt' | 'closesAt' | 'prices'>[] | undefined
}

/**
 * What a payment method costs in a round, or, without rounds, always. The code is `<round>/<code>`, or that of the
 * method.
 */
type EffectivePrice = Priced & { opensAt: string | null; closesAt: string | null; isOfSale: boolean }

/** Lists the price of each method in each round. A round without its own price has that of the sale. */
export function effectivePrices({ payMethods, rounds = [] }: PricedTerms): EffectivePrice[] {
  if (rounds.length === 0)
    return payMethods.map((method) => ({ ...method, opensAt: null, closesAt: null, isOfSale: true }))
  return rounds.flatMap(({ id, opensAt, closesAt, prices }) =>
    payMethods.map(({ code, chain, currency, rate }) => {
      const own = prices.find((price) => price.code === code)
      return {
        code: `${id}/${code}`,
        chain,
        currency,
        rate: own?.rate ?? rate,
        opensAt,
        closesAt,
        isOfSale: own === undefined,
      }
    }),
  )
}

type Period = { opensAt: string | null; closesAt: string | null }
const startOf = ({ opensAt }: Period): number => (opensAt === null ? -Infinity : Date.parse(opensAt))
const endOf = ({ closesAt }: Period): number => (closesAt === null ? Infinity : Date.parse(closesAt))
const methodOf = (code: string): string => code.slice(code.indexOf('/') + 1)

/**
 * The rates that a price replaces: that of its round before, those that applied in its period, and, if it starts at
 * another time, the one before that. If there are none, those at any time.
 */
function ratesReplaced(
  price: Priced & Period,
  known: readonly (Priced & Period)[],
): readonly (Priced & Period)[] {
  const ofCoin = known.filter((each) => isSameCoin(each, price))
  const ofMethod = ofCoin.filter(({ code }) => methodOf(code) === methodOf(price.code))
  const comparable = ofMethod.length > 0 ? ofMethod : ofCoin
  const own = comparable.find(({ code }) => code === price.code)
  const meanwhile = comparable.filter((each) => startOf(each) < endOf(price) && startOf(price) < endOf(each))
  const previous =
    own?.opensAt === price.opensAt
      ? undefined
      : comparable
          .filter((each) => startOf(each) <= startOf(price))
          .toSorted((a, b) => startOf(a) - startOf(b))
          .at(-1)
  const replaced = [...meanwhile, ...(own ? [own] : []), ...(previous ? [previous] : [])]
  return replaced.length > 0 ? replaced : comparable
}

/**
 * Finds the rates that change, in the sale and in its rounds. Each is compared with the rates in force and with those
 * 24 hours ago (`references`), and the largest deviation counts, because a price can also change in many small steps,
 * under another code, by removing and adding a method or a price, or by moving or removing a round. A rate that is not
 * a number yet does not count.
 */
export function rateChanges(
  before: PricedTerms,
  after: PricedTerms,
  references: readonly RateReference[],
): RateChange[] {
  const prices = effectivePrices({ ...after, rounds: after.rounds ?? before.rounds })
  const stored = effectivePrices(before)
  const dayAgo = references.flatMap(({ period, ...each }) => (period ? [{ ...each, ...period }] : []))
  const replacedBy = (price: EffectivePrice): readonly Priced[] =>
    [stored, dayAgo].flatMap((known) => ratesReplaced(price, known))
  const hadRounds = stored.some(({ code }) => !before.payMethods.some((method) => method.code === code))
  const ofMethods = references.filter(({ period }) => period === undefined)
  const ofSale = after.payMethods.flatMap((method) => {
    const price = prices.find(({ code }) => code === method.code)
    return methodChanges(before, method, ofMethods, price && hadRounds ? replacedBy(price) : [])
  })
  const ofRounds = prices.flatMap((price) => {
    const { code } = price
    const to = price.rate.trim()
    const isOfMethod = after.payMethods.some((method) => method.code === code)
    if (isOfMethod || !decimalPattern.test(to) || isKept(price, stored)) return []
    const former = stored.find((each) => each.code === code)
    if (former && coinName(former) !== coinName(price))
      return [{ code, from: former.rate, to, percent: null }]
    const replaced = replacedBy(price)
    return price.isOfSale && replaced.length === 0 ? [] : changeFrom(replaced, { code, to })
  })
  return [...ofSale, ...ofRounds]
}

/**
 * Whether the price applied in its round at all these times before, or is that of the sale as before, whose change counts
 * already.
 */
function isKept(price: EffectivePrice, stored: readonly EffectivePrice[]): boolean {
  const roundOf = ({ code }: Priced) => code.slice(0, code.indexOf('/'))
  const ofRound = stored.filter(
    (each) =>
      roundOf(each) === roundOf(price) && startOf(each) <= startOf(price) && endOf(price) <= endOf(each),
  )
  const isSameMethod = (each: EffectivePrice) => each.code === price.code || isSameCoin(each, price)
  if (price.isOfSale)
    return ofRound.length > 0 && ofRound.filter(isSameMethod).every(({ isOfSale }) => isOfSale)
  return ofRound.some(
    (each) =>
      each.code === price.code &&
      isSameRate(each.rate, price.rate.trim()) &&
      coinName(each) === coinName(price),
  )
}

/** The change of a method's rate in the sale. `ofRounds` are rates of rounds that it replaces. */
function methodChanges(
  { payMethods }: PricedTerms,
  method: Priced,
  references: readonly RateReference[],
  ofRounds: readonly Priced[],
): RateChange[] {
  const { code } = method
  const to = method.rate.trim()
  if (!decimalPattern.test(to)) return []
  const inForce = payMethods.find((each) => each.code === code)
  if (inForce && coinName(inForce) !== coinName(method))
    return [{ code, from: inForce.rate, to, percent: null }]
  if (inForce && isSameRate(inForce.rate, to) && ofRounds.length === 0) return []
  const compared = [...ratesInForce(method, payMethods), ...ratesBefore(method, references), ...ofRounds]
  const other = compared.length === 0 ? references.find((each) => each.code === code) : undefined
  return other ? [{ code, from: other.rate, to, percent: null }] : changeFrom(compared, { code, to })
}

/** The change from the rate that deviates most; none if all are the same. */
function changeFrom(
  compared: readonly Priced[],
  { code, to }: Pick<RateChange, 'code' | 'to'>,
): RateChange[] {
  if (compared.length === 0) return [{ code, from: null, to, percent: null }]
  const from = compared
    .map(({ rate }) => rate)
    .reduce((most, each) => (deviates(most, each, to) ? each : most))
  return isSameRate(from, to) ? [] : [{ code, from, to, percent: percentBetween(from, to) }]
}

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
 * or ends or removes a round. Such a change never requires four-eyes approval, because a wrong price or a stolen address
 * must be stopped at once.
 */
export function onlyCloses(before: SaleTerms, after: SaleTerms): boolean {
  const former = before.rounds ?? []
  const rounds = after.rounds ?? former
  // Without any round, the sale has its own prices, at any time.
  if (rounds.length === 0 && former.length > 0) return false
  const stays = ({ code }: { code: string }) => after.payMethods.some((method) => method.code === code)
  const asClosed: SaleTerms = {
    ...before,
    isOpen: before.isOpen && after.isOpen,
    payMethods: before.payMethods.filter(stays).map((method) => {
      const next = after.payMethods.find(({ code }) => code === method.code)
      return { ...method, isOpen: method.isOpen && next?.isOpen === true }
    }),
    rounds: former.flatMap((round) => {
      const next = rounds.find(({ id }) => id === round.id)
      if (!next) return []
      const { closesAt } = endOf(next) < endOf(round) ? next : round
      return [{ ...round, closesAt, prices: round.prices.filter(stays) }]
    }),
  }
  return changesBetween(flattenSale(asClosed), flattenSale({ ...after, rounds })).every(
    ({ path }) => path === 'payMethods',
  )
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
