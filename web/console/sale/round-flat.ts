import { parseDecimal } from '#contract/platform/decimal.ts'
import { decimalPattern } from '#contract/platform/fields.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { VestingPlan } from '#contract/money/vesting.ts'
import type { FlatSettings } from '#contract/people/settings.ts'

export const priceFields = ['rate', 'minAmount', 'maxAmount'] as const

/** A vesting plan during typing: numbers are text, and every kind keeps its fields. */
export type TypedPlan = {
  first: string
  later:
    | null
    | { kind: 'tranches'; parts: readonly { after: string; unit: string; percent: string }[] }
    | { kind: 'linear'; wait: string; parts: string; unit: string }
}
export type TypedTier = { from: string; percent: string }

export const typedPlanOf = ({ first, later }: VestingPlan): TypedPlan => {
  if (later === null) return { first, later }
  if (later.kind === 'linear') {
    const { kind, wait, parts, unit } = later
    return { first, later: { kind, wait: String(wait), parts: String(parts), unit } }
  }
  const parts = later.parts.map(({ after, unit, percent }) => ({ after: String(after), unit, percent }))
  return { first, later: { kind: 'tranches', parts } }
}

/** An empty field is not a number. */
const wholeOf = (text: string | number): number => (String(text).trim() ? Number(text) : Number.NaN)

/** The plan as it is sent. It may be invalid, which the schema reports. */
export const planOf = ({ first, later }: TypedPlan): VestingPlan => {
  if (later === null) return { first: '100', later }
  if (later.kind === 'linear') {
    const { kind, wait, parts, unit } = later
    return { first, later: { kind, wait: wholeOf(wait), parts: wholeOf(parts), unit } } as VestingPlan
  }
  const parts = later.parts.map(({ after, unit, percent }) => ({ after: wholeOf(after), unit, percent }))
  return { first, later: { kind: 'tranches', parts } } as VestingPlan
}

/** A round as one line of text per value, for the settings form. */
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
  vesting: JSON.stringify(typedPlanOf(round.vesting)),
  payMethods: JSON.stringify(round.prices.map(({ code }) => code)),
  ...Object.fromEntries(
    round.prices.flatMap((price) => priceFields.map((field) => [`${price.code}.${field}`, price[field]])),
  ),
})

export const codesOf = (flat: FlatSettings): string[] => JSON.parse(flat['payMethods'] || '[]') as string[]
export const planIn = (flat: FlatSettings): TypedPlan =>
  JSON.parse(flat['vesting'] || '{"first":"100","later":null}') as TypedPlan
export const tiersIn = (flat: FlatSettings): TypedTier[] => JSON.parse(flat['bonus'] || '[]') as TypedTier[]
export const countriesIn = (flat: FlatSettings): string[] =>
  JSON.parse(flat['excludedCountries'] || '[]') as string[]

/** The inverse of `flattenRound`. */
export function roundOfFlat(id: string, flat: FlatSettings): SaleRound {
  const text = (path: string) => flat[path] ?? ''
  return {
    id,
    name: { en: text('nameEn'), cn: text('nameCn') },
    opensAt: text('opensAt') || null,
    closesAt: text('closesAt') || null,
    cap: text('cap').trim() || null,
    memberCap: text('memberCap').trim() || null,
    admission: text('admission') as SaleRound['admission'],
    excludedCountries: countriesIn(flat),
    bonus: tiersIn(flat),
    vesting: planOf(planIn(flat)),
    prices: codesOf(flat).map((code) => ({
      code,
      rate: text(`${code}.rate`),
      minAmount: text(`${code}.minAmount`),
      maxAmount: text(`${code}.maxAmount`),
    })),
  }
}

/** Maps a path of the API within a round, such as `prices.1.rate`, to the field `ETH.rate`. */
export function roundField(path: string, flat: FlatSettings): string {
  const [, index, field] = /^prices\.(\d+)\.(\w+)$/.exec(path) ?? []
  if (index !== undefined) return `${codesOf(flat)[Number(index)]}.${field}`
  return { 'name.en': 'nameEn', 'name.cn': 'nameCn' }[path] ?? path
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

/** The rules of another round, which keeps its name and its period. The allow-list is not copied. */
export const copyOf = (other: SaleRound, id: string): SaleRound => ({
  ...other,
  id,
  name: { en: '', cn: '' },
  opensAt: null,
  closesAt: null,
})

/** Whether the percentages of a plan add up, and its dates ascend, as far as the input is numeric. */
export function problemOfPlan({ first, later }: VestingPlan): 'sum' | 'order' | undefined {
  if (later?.kind !== 'tranches') return undefined
  const shares = [first, ...later.parts.map(({ percent }) => percent)]
  if (!shares.every((share) => decimalPattern.test(share))) return undefined
  const days = later.parts.map(({ after, unit }) => after * (unit === 'months' ? 31 : 1))
  if (days.some((day, index) => index > 0 && day <= days[index - 1]!)) return 'order'
  const total = shares.reduce((sum, share) => sum + parseDecimal(share), 0n)
  return total === parseDecimal('100') ? undefined : 'sum'
}
