import type { KycCaseDetail } from '#contract/kyc-review.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { pathToCase, wholeQueue, type QueueFilter } from '../review-address.ts'
import { reviewStates } from '../review-states.ts'
import styles from './case.module.css'
import { Screening, type ScreeningProps } from './screening.tsx'

type Why = KycCaseDetail['refusals'][number]['why'][number]

type Props = ScreeningProps & { filter?: QueueFilter }

/** Findings for the reviewer: matches with other members and with screening lists. */
export function Findings({ kycCase, filter = wholeQueue, ...screening }: Props) {
  const { t, formatDate } = useMessages()
  const { duplicates, refusals } = kycCase
  const list = (why: readonly Why[]) =>
    why.map((each) => t(`review.why.${each}`)).join(t('forms.missing.separator'))
  return (
    <section className={styles.part} aria-labelledby="case-checks">
      <h2 id="case-checks">{t('review.checks')}</h2>
      {refusals.length > 0 && (
        <div className={styles.check}>
          <h3>{t('review.refusals')}</h3>
          <ul className={styles.rows}>
            {refusals.map(({ id, at, isFinal, why }) => (
              <li key={id}>
                <div>
                  <strong>
                    {t(isFinal ? 'review.refusals.final' : 'review.refusals.proposed', {
                      date: formatDate(at),
                      why: list(why),
                    })}
                  </strong>
                  {isFinal && <a href={pathToCase(id, filter)}>{t('review.refusals.open')}</a>}
                </div>
                <Tag colour="red">{t('review.flags.refused')}</Tag>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.check}>
        <h3>{t('review.duplicates')}</h3>
        {duplicates.length === 0 && <p className={styles.quiet}>{t('review.duplicates.none')}</p>}
        <ul className={styles.rows}>
          {duplicates.map(({ id, name, status, why }) => (
            <li key={id}>
              <div>
                <a
                  href={pathToCase(id, filter)}
                  aria-label={t('review.duplicates.open', { name: name || '–' })}
                >
                  {name || '–'}
                </a>
                <span>{list(why)}</span>
              </div>
              <Tag colour={reviewStates[status].colour}>{t(reviewStates[status].words)}</Tag>
            </li>
          ))}
        </ul>
      </div>
      {!kycCase.isDeleted && <Screening kycCase={kycCase} {...screening} />}
    </section>
  )
}
