import type { UsedWords } from '../../i18n/words.tsx'

const daysFrom = 48

/** Hours as somebody says them: hours for two days, days from then on. */
export function ageWords(t: UsedWords['t'], hours: number): string {
  const whole = Math.floor(hours)
  if (whole < 1) return t('review.age.now')
  if (whole === 1) return t('review.age.hour')
  if (whole < daysFrom) return t('review.age.hours', { count: whole })
  return t('review.age.days', { count: Math.floor(whole / 24) })
}

/** What applicants are told where too few cases were decided to tell: two working days. */
const usualHoursDefault = 48

export const isLate = (hours: number, usualHours: number | null): boolean =>
  hours > (usualHours ?? usualHoursDefault)
