import { flattenRound, priceFields } from '#contract/money/flat-sale.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { VestingPlan } from '#contract/money/vesting.ts'
import type { FlatSettings } from '#contract/people/settings.ts'

type Later = NonNullable<VestingPlan['later']>
/** Numbers of a plan are text while they are no numbers. */
type Typed<Part> = { [Name in keyof Part]: Part[Name] extends number ? number | string : Part[Name] }
export type TypedTranches = { kind: 'tranches'; parts: readonly Typed<TypedPart>[] }
type TypedPart = Extract<Later, { kind: 'tranches' }>['parts'][number]
export type TypedLinear = Typed<Extract<Later, { kind: 'linear' }>>
export type TypedPlan = { first: string; later: null | TypedTranches | TypedLinear }

export const typedNumber = (text: string): number | string => (/^\d{1,6}$/.test(text) ? Number(text) : text)

export const codesOf = (flat: FlatSettings): string[] => JSON.parse(flat['payMethods'] ?? '[]') as string[]
export const planIn = (flat: FlatSettings): TypedPlan => JSON.parse(flat['vesting']!) as TypedPlan
export const tiersIn = (flat: FlatSettings): BonusTier[] => JSON.parse(flat['bonus']!) as BonusTier[]
export const countriesIn = (flat: FlatSettings): string[] =>
  JSON.parse(flat['excludedCountries']!) as string[]

/** Maps a path of the API within the settings, such as `rounds.2.prices.1.rate`, to the field `ETH.rate`. */
export function roundField(path: string, flat: FlatSettings): string {
  const own = path.replace(/^rounds\.\d+\./, '')
  const [, index, field] = /^prices\.(\d+)\.(\w+)$/.exec(own) ?? []
  if (index !== undefined) return `${codesOf(flat)[Number(index)]}.${field}`
  return { 'name.en': 'nameEn', 'name.cn': 'nameCn' }[own] ?? own
}

export const newRound = (id: string): SaleRound => ({
  id,
  name: { en: '', cn: '' },
  opensAt: null,
  closesAt: null,
  cap: null,
  memberCap: null,
  admission: 'approved',
  excludedCountries: [],
  bonus: [],
  vesting: { first: '100', later: null },
  prices: [],
})

/** The rules of a round for another one, which keeps its name and its period. */
export function rulesOf(round: SaleRound): FlatSettings {
  const { nameEn: _, nameCn: __, opensAt: ___, closesAt: ____, ...rules } = flattenRound(round)
  return rules
}

/** The fields of a price of its own, which begins with that of the sale. */
export const pricesLike = (method: { code: string } & Record<(typeof priceFields)[number], string>) =>
  Object.fromEntries(priceFields.map((field) => [`${method.code}.${field}`, method[field]]))
