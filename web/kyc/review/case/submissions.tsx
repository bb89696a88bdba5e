import type { KycCaseDetail } from '#contract/people/kyc-review.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import styles from './case.module.css'

type Round = KycCaseDetail['rounds'][number]
const fieldLabels: Readonly<Record<Round['earlier'][number]['field'], PlainKey>> = {
  fullName: 'kyc.fullName',
  lastName: 'kyc.fullName',
  country: 'kyc.country',
  dateOfBirth: 'kyc.dateOfBirth',
  email: 'forms.email.label',
  ethAddress: 'kyc.ethAddress',
  btcAddress: 'kyc.btcAddress',
}

/** The requests, their authors, and the entries that the applicant changed in the answers. */
export function Submissions({ rounds }: { rounds: readonly Round[] }) {
  const { t, language } = useMessages()
  if (rounds.length === 1 && !rounds[0]!.asked) return null
  return (
    <section className={styles.part} aria-labelledby="case-rounds">
      <h2 id="case-rounds">{t('review.rounds')}</h2>
      <ol className={styles.timeline}>
        {rounds.map(({ handedInAt, asked, earlier }, index) => (
          <li key={`${index} ${handedInAt}`}>
            <strong>
              {t('review.round', { number: index + 1, time: formatMoment(handedInAt, language) })}
            </strong>
            {earlier.map(({ field, value }) => (
              <span key={field}>
                {t('review.round.earlier', { field: t(fieldLabels[field]), value: value || '–' })}
              </span>
            ))}
            {asked && (
              <>
                <span>
                  {t('review.round.asked', { name: asked.by || '–', time: formatMoment(asked.at, language) })}
                </span>
                <q className={styles.lines}>{asked.reason}</q>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
