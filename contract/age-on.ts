/** Years of age on a day, both as `2000-12-31`. Who was born on 29 February is a year older on 1 March where there is none. */
export function ageOn(dateOfBirth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
