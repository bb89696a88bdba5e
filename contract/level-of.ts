import type { output } from 'zod/mini'
import type { Level } from './endpoint.ts'
import type { level as levelValue, rights } from './members.ts'

export type Rights = { [Name in keyof typeof rights]: output<(typeof rights)[Name]> }
type LevelValue = output<typeof levelValue>

/** An administrator has news 2 and employee 2 only: money and identity documents need levels of their own. */
export function levelOf(rights: Rights, level: Level): LevelValue {
  const given = {
    news: rights.manageNews,
    employee: rights.manageEmployee,
    finance: rights.manageFinance,
    coins: rights.manageCoins,
  }[level]
  const isCoveredByAdmin = level === 'news' || level === 'employee'
  return rights.isWriteAccessAdmin && isCoveredByAdmin ? 2 : given
}

export const hasAnyStaffRight = (rights: Rights): boolean =>
  rights.isWriteAccessAdmin ||
  rights.manageNews + rights.manageEmployee + rights.manageFinance + rights.manageCoins > 0
