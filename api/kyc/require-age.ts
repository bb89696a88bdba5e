import { ageOn } from '#contract/age-on.ts'
import { refusedField } from '../refused.ts'

/** By the calendar, in UTC. If no date of birth was given, an officer must ask for it. */
export function requireAge(dateOfBirth: string, ageMin: number, now = new Date()): void {
  if (dateOfBirth === '') return
  if (ageOn(dateOfBirth, now.toISOString().slice(0, 10)) < ageMin)
    throw refusedField('dateOfBirth', 'too_young', { min: ageMin })
}
