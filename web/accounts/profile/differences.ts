import type { ProfileFields } from './profile-fields.ts'

export type Side = 'mine' | 'theirs'
export type Difference = { name: keyof ProfileFields; suggested: Side }

/**
 * The fields in which what was typed is not what is saved by now. What was typed is suggested where it was typed here;
 * a field that was changed elsewhere only is suggested as it is saved.
 */
export function differencesOf(base: ProfileFields, mine: ProfileFields, theirs: ProfileFields): Difference[] {
  const names = Object.keys(base) as (keyof ProfileFields)[]
  return names
    .filter((name) => mine[name] !== theirs[name])
    .map((name) => ({ name, suggested: mine[name] === base[name] ? 'theirs' : 'mine' }))
}

/** The saved fields, with those chosen as typed. */
export function chosenFields(
  mine: ProfileFields,
  theirs: ProfileFields,
  choices: Partial<Record<keyof ProfileFields, Side>>,
): ProfileFields {
  const typed = Object.entries(mine).filter(([name]) => choices[name as keyof ProfileFields] === 'mine')
  return { ...theirs, ...Object.fromEntries(typed) }
}
