/**
 * Adds the space that Chinese typography requires between digits and Han characters, and that `Intl` omits in dates:
 * 2026 年 11 月 5 日.
 */
export const spaceDate = (date: string): string =>
  date.replaceAll(
    /(\d)([年月日])(?=(\d?))/g,
    (_, digit: string, han: string, next: string) => `${digit} ${han}${next && ' '}`,
  )
