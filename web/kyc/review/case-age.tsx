import type { KycCase } from '#contract/kyc-review.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { ageLabel, isLate } from './age.ts'
import styles from './case-age.module.css'
import { isWaiting } from './review-states.ts'

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
