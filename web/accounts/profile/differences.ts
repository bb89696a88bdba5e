import type { ProfileFields } from './profile-fields.ts'

export type Side = 'mine' | 'theirs'
type Difference = { name: keyof ProfileFields; suggested: Side }

/**
 * Returns the fields whose typed value differs from the saved one. Fields edited here are preselected as typed; fields
 * changed only elsewhere are preselected as saved.
 */
export function differencesOf(base: ProfileFields, mine: ProfileFields, theirs: ProfileFields): Difference[] {
  const names = Object.keys(base) as (keyof ProfileFields)[]
  return names
    .filter((name) => mine[name] !== theirs[name])
    .map((name) => ({ name, suggested: mine[name] === base[name] ? 'theirs' : 'mine' }))
}

/** Returns the saved fields with the chosen typed values applied. */
export function chosenFields(
  mine: ProfileFields,
  theirs: ProfileFields,
  choices: Partial<Record<keyof ProfileFields, Side>>,
): ProfileFields {
  const typed = Object.entries(mine).filter(([name]) => choices[name as keyof ProfileFields] === 'mine')
  return { ...theirs, ...Object.fromEntries(typed) }
}
