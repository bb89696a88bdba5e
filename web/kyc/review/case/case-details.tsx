import type { KycCaseDetail } from '#contract/kyc-review.ts'
import { isAlwaysComplete } from '#contract/languages.ts'
import { languageName } from '../../../i18n/language.ts'
import { useWords } from '../../../i18n/words.tsx'
import { Facts, type Fact } from '../../../ui/description-list.tsx'
import styles from './case.module.css'

/** The applicant's entries, for comparison with the photos. */
export function CaseFacts({ shown }: { shown: KycCaseDetail }) {
  const { t, formatDateTime } = useWords()
  const facts: readonly Fact[] = [
    { name: 'fullName', label: t('kyc.fullName'), value: `${shown.firstName} ${shown.lastName}`.trim() },
    { name: 'born', label: t('kyc.dateOfBirth'), value: shown.dateOfBirth },
    { name: 'country', label: t('kyc.country'), value: shown.country },
    { name: 'email', label: t('forms.email.label'), value: shown.email },
    { name: 'eth', label: t('kyc.ethAddress'), value: shown.ethAddress && <code>{shown.ethAddress}</code> },
    { name: 'btc', label: t('kyc.btcAddress'), value: shown.btcAddress && <code>{shown.btcAddress}</code> },
    {
      name: 'language',
      label: t('review.language'),
      value: isAlwaysComplete(shown.memberLanguage)
        ? t(shown.memberLanguage === 'cn' ? 'review.language.cn' : 'review.language.en')
        : languageName[shown.memberLanguage],
    },
    { name: 'number', label: t('review.number'), value: <code>{shown._id}</code> },
    { name: 'createdAt', label: t('kyc.createdAt'), value: formatDateTime(shown.createdAt) },
    {
      name: 'decidedAt',
      label: t('kyc.decidedAt'),
      value: shown.decidedAt && formatDateTime(shown.decidedAt),
    },
    { name: 'reason', label: t('review.reasonGiven'), value: shown.reason && <Lines text={shown.reason} /> },
    {
      name: 'proposed',
      label: t('review.finalProposed.reason'),
      value: shown.finalProposedReason && <Lines text={shown.finalProposedReason} />,
    },
    { name: 'note', label: t('review.note'), value: shown.note && <Lines text={shown.note} /> },
  ]
  return (
    <section className={`${styles.part} ${styles.facts}`} aria-labelledby="case-facts">
      <h2 id="case-facts">{t('review.facts')}</h2>
      <Facts facts={facts.filter(({ value }) => value !== '' && value !== null)} />
    </section>
  )
}

const Lines = ({ text }: { text: string }) => <span className={styles.lines}>{text}</span>
