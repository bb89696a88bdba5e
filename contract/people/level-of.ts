import type { output } from 'zod/mini'
import type { StaffRight } from '../platform/endpoint.ts'
import type { level as levelValue, rights } from './members.ts'

export type Rights = { [Name in keyof typeof rights]: output<(typeof rights)[Name]> }
type LevelValue = output<typeof levelValue>

/** An administrator has only news 2 and employee 2: money and identity documents require their own levels. */
export function levelOf(rights: Rights, wanted: StaffRight): LevelValue {
  if (wanted === 'any') return hasAnyStaffRight(rights) ? 2 : 0
  if (wanted === 'support') return Math.max(levelOf(rights, 'employee'), rights.manageFinance) as LevelValue
  const given = {
    news: rights.manageNews,
    employee: rights.manageEmployee,
    finance: rights.manageFinance,
    coins: rights.manageCoins,
    admin: 0 as const,
  }[wanted]
  const isCoveredByAdmin = wanted === 'news' || wanted === 'employee' || wanted === 'admin'
  return rights.isWriteAccessAdmin && isCoveredByAdmin ? 2 : given
}

export const hasAnyStaffRight = (rights: Rights): boolean =>
  rights.isWriteAccessAdmin ||
  rights.manageNews + rights.manageEmployee + rights.manageFinance + rights.manageCoins > 0
