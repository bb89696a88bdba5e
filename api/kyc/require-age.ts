import { refusedField } from '../refused.ts'

/** By the calendar, in UTC. A date of birth that was not given is for the officer to ask for. */
export function requireAge(dateOfBirth: string, ageMin: number, now = new Date()): void {
  if (dateOfBirth === '') return
  if (ageOn(dateOfBirth, now.toISOString().slice(0, 10)) < ageMin)
    throw refusedField('dateOfBirth', 'too_young', { min: ageMin })
}

/** Who was born on 29 February is a year older on 1 March where there is none. */
function ageOn(dateOfBirth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
