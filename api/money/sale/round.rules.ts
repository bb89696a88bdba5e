import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { SaleTerms } from '#contract/money/sale.ts'
import type { FieldRefusal } from '../../platform/refused.ts'

/** The round with decimals as they will be read. */
export const withShortDecimals = (round: SaleRound): SaleRound => ({
  ...round,
  cap: round.cap === null ? null : shortDecimal(round.cap),
  memberCap: round.memberCap === null ? null : shortDecimal(round.memberCap),
  excludedCountries: [...new Set(round.excludedCountries)].toSorted(),
  bonus: round.bonus.map(({ from, percent }) => ({
    from: shortDecimal(from),
    percent: shortDecimal(percent),
  })),
  prices: round.prices.map(({ code, rate, minAmount, maxAmount }) => ({
    code,
    rate: shortDecimal(rate),
    minAmount: shortDecimal(minAmount),
    maxAmount: shortDecimal(maxAmount),
  })),
})

/** Lists problems of the rounds, each at `rounds.<index>`. A method that is being removed may still have prices. */
export function problemsOfRounds(
  { rounds = [], payMethods }: SaleTerms,
  before: Pick<SaleTerms, 'payMethods'>,
): FieldRefusal[] {
  const codes = new Set([...payMethods, ...before.payMethods].map(({ code }) => code))
  return rounds.flatMap((round, index) =>
    [
      ...(rounds.findIndex(({ id }) => id === round.id) < index
        ? [{ path: 'id', code: 'already_listed' } as const]
        : []),
      ...problemsOfWindow(round, rounds.slice(0, index)),
      ...problemsOfCaps(round),
      ...problemsOfPrices(round, codes),
      ...problemsOfBonus(round),
    ].map((problem) => ({ ...problem, path: `rounds.${index}.${problem.path}` })),
  )
}

const startOf = ({ opensAt }: SaleRound): number => (opensAt === null ? -Infinity : Date.parse(opensAt))
const endOf = ({ closesAt }: SaleRound): number => (closesAt === null ? Infinity : Date.parse(closesAt))

/** At each time, at most one round is open, so that exactly one price applies. */
function problemsOfWindow(round: SaleRound, others: readonly SaleRound[]): FieldRefusal[] {
  if (endOf(round) <= startOf(round)) return [{ path: 'closesAt', code: 'invalid' }]
  const isAtOnce = others.some((other) => startOf(other) < endOf(round) && startOf(round) < endOf(other))
  return isAtOnce ? [{ path: 'opensAt', code: 'overlaps' }] : []
}

const problemsOfCaps = (round: SaleRound): FieldRefusal[] =>
  (['cap', 'memberCap'] as const)
    .filter((path) => round[path] !== null && parseDecimal(round[path]) === 0n)
    .map((path) => ({ path, code: 'too_little', values: { min: '0.00000001' } }))

function problemsOfPrices({ prices }: SaleRound, codes: ReadonlySet<string>): FieldRefusal[] {
  return prices.flatMap(({ code, rate, minAmount, maxAmount }, index): FieldRefusal[] => {
    const at = (name: string) => `prices.${index}.${name}`
    const problems: FieldRefusal[] = []
    if (!codes.has(code)) problems.push({ path: at('code'), code: 'one_of' })
    if (prices.findIndex((price) => price.code === code) < index)
      problems.push({ path: at('code'), code: 'already_listed' })
    if (parseDecimal(rate) === 0n)
      problems.push({ path: at('rate'), code: 'too_little', values: { min: '0.000000000000000001' } })
    if (parseDecimal(maxAmount) < parseDecimal(minAmount))
      problems.push({ path: at('maxAmount'), code: 'too_little', values: { min: minAmount } })
    return problems
  })
}

const problemsOfBonus = ({ bonus }: SaleRound): FieldRefusal[] =>
  bonus.flatMap(({ from }, index): FieldRefusal[] => {
    const before = bonus[index - 1]
    return before && parseDecimal(from) <= parseDecimal(before.from)
      ? [{ path: `bonus.${index}.from`, code: 'not_ascending' }]
      : []
  })
