import { methodPath } from '#contract/money/flat-sale.ts'
import type { FlatSettings } from '#contract/people/settings.ts'

export type Side = 'mine' | 'theirs'
type Difference = { path: string; suggested: Side }

/**
 * Returns the differences between the input and the currently saved state. Values changed here are preselected as
 * typed, and values changed only elsewhere as saved. The fields of a payment method that only one side has are chosen
 * together with the list of methods.
 */
export function differencesOf(base: FlatSettings, mine: FlatSettings, theirs: FlatSettings): Difference[] {
  const paths = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
  return paths
    .filter((path) => mine[path] !== theirs[path])
    .filter((path) => !methodPath(path) || (path in mine && path in theirs))
    .map((path) => ({ path, suggested: mine[path] === base[path] ? 'theirs' : 'mine' }))
}

/** Returns the chosen values of both states, with the fields of exactly the listed payment methods. */
export function mergeSettings(
  mine: FlatSettings,
  theirs: FlatSettings,
  choices: Readonly<Record<string, Side>>,
): FlatSettings {
  const typed = Object.entries(mine).filter(([path]) => choices[path] === 'mine' || !(path in theirs))
  return ofListedMethods({ ...theirs, ...Object.fromEntries(typed) })
}

/** Removes fields of payment methods that are no longer listed. */
export function ofListedMethods(flat: FlatSettings): FlatSettings {
  const codes = JSON.parse(flat['payMethods'] ?? '[]') as string[]
  return Object.fromEntries(
    Object.entries(flat).filter(([path]) => {
      const method = methodPath(path)
      return !method || codes.includes(method.code)
    }),
  )
}
