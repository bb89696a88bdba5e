import type { KycCase } from '#contract/people/kyc-review.ts'
import { type UsedMessages, useMessages } from '../../kernel/i18n/messages.tsx'
import styles from './case-age.module.css'
import { isWaiting } from './review-states.ts'

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

/** How long a case has been waiting, or how long it took, with a note if that is longer than usual. */
export function CaseAge({
  of: { ageHours, status },
  usualHours,
}: {
  of: KycCase
  usualHours: number | null
}) {
  const { t } = useMessages()
  const age = ageLabel(t, ageHours)
  if (!isWaiting(status) || !isLate(ageHours, usualHours)) return <>{age}</>
  return (
    <strong className={styles.late}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r="6" />
        <path d="M7 3.5V7l2.5 1.5" />
      </svg>
      <span>{t('review.late', { age })}</span>
    </strong>
  )
}
