/**
 * Age in full years on a day. Both days are `YYYY-MM-DD`. Someone born on 29 February turns a year older on 1
 * March in common years.
 */
export function ageOn(dateOfBirth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}

/**
 * Adds the space that Chinese typography requires between digits and Han characters, and that `Intl` omits in dates:
 * 2026 年 11 月 5 日.
 */
export const spaceDate = (date: string): string =>
  date.replaceAll(
    /(\d)([年月日])(?=(\d?))/g,
    (_, digit: string, han: string, next: string) => `${digit} ${han}${next && ' '}`,
  )
