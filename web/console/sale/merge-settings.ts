import { methodPath } from '#contract/flat-sale.ts'
import type { FlatSettings } from '#contract/settings.ts'

export type Side = 'mine' | 'theirs'
export type Difference = { path: string; suggested: Side }

/**
 * Where what was typed differs from what is saved by now. What was changed here is suggested as typed, what was changed only
 * elsewhere as saved. The fields of a pay method that only one of both has go with the list of methods.
 */
export function differencesOf(base: FlatSettings, mine: FlatSettings, theirs: FlatSettings): Difference[] {
  const paths = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
  return paths
    .filter((path) => mine[path] !== theirs[path])
    .filter((path) => !methodPath(path) || (path in mine && path in theirs))
    .map((path) => ({ path, suggested: mine[path] === base[path] ? 'theirs' : 'mine' }))
}

/** The chosen of both states, with the fields of exactly the pay methods that it lists. */
export function mergeSettings(
  mine: FlatSettings,
  theirs: FlatSettings,
  choices: Readonly<Record<string, Side>>,
): FlatSettings {
  const typed = Object.entries(mine).filter(([path]) => choices[path] === 'mine' || !(path in theirs))
  return ofListedMethods({ ...theirs, ...Object.fromEntries(typed) })
}

/** Without what is left of pay methods that were taken away. */
export function ofListedMethods(flat: FlatSettings): FlatSettings {
  const codes = JSON.parse(flat['payMethods'] ?? '[]') as string[]
  return Object.fromEntries(
    Object.entries(flat).filter(([path]) => {
      const method = methodPath(path)
      return !method || codes.includes(method.code)
    }),
  )
}
