import { hasAnyStaffRight, levelOf, type Rights } from '#contract/level-of.ts'
import type { Need } from '../routes/route.ts'
import type { Route } from '../routes/routes.ts'

const fulfils = (rights: Rights, need: Need): boolean => {
  if (need === 'admin') return rights.isWriteAccessAdmin
  if (need === 'anyLevel') return hasAnyStaffRight(rights)
  return levelOf(rights, need.level) >= need.atLeast
}

/** Whether the console offers a page. The server decides again at each call. */
export const mayOpen = (rights: Rights | null, { needs }: Pick<Route, 'needs'>): boolean =>
  rights !== null && fulfils(rights, needs ?? 'anyLevel')
