import type { UsedMessages } from '../../i18n/messages.tsx'

const daysFrom = 48

/** Formats a duration: hours up to two days, then days. */
export function ageLabel(t: UsedMessages['t'], hours: number): string {
  const whole = Math.floor(hours)
  if (whole < 1) return t('review.age.now')
  if (whole === 1) return t('review.age.hour')
  if (whole < daysFrom) return t('review.age.hours', { count: whole })
  return t('review.age.days', { count: Math.floor(whole / 24) })
}

/** The estimate shown to applicants until enough cases have been decided: two working days. */
const usualHoursDefault = 48

export const isLate = (hours: number, usualHours: number | null): boolean =>
  hours > (usualHours ?? usualHoursDefault)
