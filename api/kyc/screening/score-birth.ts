const sameDate = 10
const sameYear = 5
const swapped = 0
const otherDate = -25
const yearBeside = -25
const otherYear = -40

/**
 * Scores a date of birth: a match raises the score, a difference lowers it, an unknown date changes nothing. Lists
 * contain full dates, months, years, or several of them; the best match counts.
 */
export function scoreBirth(born: string, listed: string): number {
  if (born === '') return 0
  const dates = [...listed.matchAll(/(?<!\d)(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)/g)]
  if (dates.length === 0) return 0
  return Math.max(...dates.map(([date]) => scoreDate(born, date)))
}

function scoreDate(born: string, listed: string): number {
  if (born === listed) return sameDate
  if (born.startsWith(`${listed}-`)) return sameYear
  const [year, month, day] = born.split('-')
  if (listed === `${year}-${day}-${month}`) return swapped
  const years = Math.abs(Number(year) - Number(listed.slice(0, 4)))
  return years === 0 ? otherDate : years === 1 ? yearBeside : otherYear
}
