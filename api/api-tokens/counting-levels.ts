import { levels, type Level } from '#contract/endpoint.ts'
import { levelOf, type Rights } from '#contract/level-of.ts'
import type { TokenLevels } from '#contract/api-tokens.ts'

const lesser = <Value extends number>(one: Value, other: Value): Value => (one < other ? one : other)

/** What counts of a token's levels: no more than its maker has now, by which right ever. */
export function countingLevels(given: TokenLevels, maker: Rights): TokenLevels {
  const of = (level: Level) => lesser(given[level], levelOf(maker, level))
  return { news: of('news'), employee: of('employee'), finance: of('finance'), coins: of('coins') }
}

/** A token is nobody: it is never an administrator. */
export const rightsOfLevels = ({ news, employee, finance, coins }: TokenLevels): Rights => ({
  isWriteAccessAdmin: false,
  manageNews: news,
  manageEmployee: employee,
  manageFinance: finance,
  manageCoins: coins,
})

export const hasLevel = (given: TokenLevels): boolean => levels.some((level) => given[level] > 0)
