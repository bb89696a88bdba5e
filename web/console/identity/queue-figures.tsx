import type { OutputOf } from '#contract/platform/endpoint.ts'
import type { readKycStatistics } from '#contract/people/kyc-review.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { ageLabel } from '../../kyc/review/case-age.tsx'
import styles from './identity.module.css'

type Statistics = OutputOf<typeof readKycStatistics>

/** Number and age of waiting cases, and recent decisions. */
export function QueueFigures({ statistics }: { statistics: Statistics }) {
  const { t, formatNumber } = useMessages()
  const { waiting, oldestHours, decided, medianHours, usualHours } = statistics
  const age = (hours: number | null) => (hours === null ? '–' : ageLabel(t, hours))
  const figures = [
    {
      name: 'waiting',
      label: t('review.figures.waiting'),
      figure: formatNumber(waiting.submitted + waiting.in_review),
      more: t('review.figures.waiting.parts', { submitted: waiting.submitted, inReview: waiting.in_review }),
    },
    {
      name: 'oldest',
      label: t('review.figures.oldest'),
      figure: age(oldestHours),
      more: t('review.figures.more', { count: waiting.more_info }),
    },
    {
      name: 'decided',
      label: t('review.figures.decided'),
      figure: formatNumber(decided.approved + decided.rejected),
      more: t('review.figures.decided.parts', { approved: decided.approved, rejected: decided.rejected }),
    },
    {
      name: 'median',
      label: t('review.figures.median'),
      figure: age(medianHours),
      more: usualHours === null ? '' : t('review.figures.usual', { age: ageLabel(t, usualHours) }),
    },
  ]
  return (
    <dl className={styles.figures} aria-label={t('review.figures')}>
      {figures.map(({ name, label, figure, more }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            <strong>{figure}</strong>
            {more && <span>{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
