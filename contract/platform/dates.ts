/**
 * Age in full years on a day. Both days are `YYYY-MM-DD`. Someone born on 29 February turns a year older on 1
 * March in common years.
 */
export function ageOn(dateOfBirth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
