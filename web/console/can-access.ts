import { levelOf, type Rights } from '#contract/people/level-of.ts'
import type { Route } from '../kernel/routes/routes.ts'

const usual = { level: 'any', atLeast: 1 } as const

/** Whether the console offers a page. The server checks the right again at every request. */
export const mayOpen = (rights: Rights | null, { needs = usual }: Pick<Route, 'needs'>): boolean =>
  rights !== null && levelOf(rights, needs.level) >= needs.atLeast
