import { fullName } from '#contract/people/full-name.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { KycCaseDetail } from '#contract/people/kyc-review.ts'
import { isAlwaysComplete } from '#contract/platform/languages.ts'
import { languageName } from '../../../kernel/i18n/language.ts'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { pathTo } from '../../../kernel/routes/routes.ts'
import { useSession } from '../../../kernel/session/session.ts'
import { Facts, type Fact } from '../../../kernel/ui/description-list.tsx'
import styles from './case.module.css'

/** The applicant's entries, for comparison with the photos. */
export function CaseFacts({ kycCase }: { kycCase: KycCaseDetail }) {
  const { t, language } = useMessages()
  const facts: readonly Fact[] = [
    { name: 'fullName', label: t('kyc.fullName'), value: fullName(kycCase.firstName, kycCase.lastName) },
    { name: 'born', label: t('kyc.dateOfBirth'), value: kycCase.dateOfBirth },
    { name: 'country', label: t('kyc.country'), value: kycCase.country },
    { name: 'email', label: t('forms.email.label'), value: <MemberLink {...kycCase} /> },
    {
      name: 'eth',
      label: t('kyc.ethAddress'),
      value: kycCase.ethAddress && <code>{kycCase.ethAddress}</code>,
    },
    {
      name: 'btc',
      label: t('kyc.btcAddress'),
      value: kycCase.btcAddress && <code>{kycCase.btcAddress}</code>,
    },
    {
      name: 'language',
      label: t('review.language'),
      value: isAlwaysComplete(kycCase.memberLanguage)
        ? t(kycCase.memberLanguage === 'cn' ? 'review.language.cn' : 'review.language.en')
        : languageName[kycCase.memberLanguage],
    },
    { name: 'number', label: t('review.number'), value: <code>{kycCase._id}</code> },
    { name: 'createdAt', label: t('kyc.createdAt'), value: formatMoment(kycCase.createdAt, language) },
    {
      name: 'decidedAt',
      label: t('kyc.decidedAt'),
      value: kycCase.decidedAt && formatMoment(kycCase.decidedAt, language),
    },
    {
      name: 'reason',
      label: t('review.reasonGiven'),
      value: kycCase.reason && <Lines text={kycCase.reason} />,
    },
    {
      name: 'proposed',
      label: t('review.finalProposed.reason'),
      value: kycCase.finalProposedReason && <Lines text={kycCase.finalProposedReason} />,
    },
    { name: 'note', label: t('review.note'), value: kycCase.note && <Lines text={kycCase.note} /> },
  ]
  return (
    <section className={`${styles.part} ${styles.facts}`} aria-labelledby="case-facts">
      <h2 id="case-facts">{t('review.facts')}</h2>
      <Facts facts={facts.filter(({ value }) => value !== '' && value !== null)} />
    </section>
  )
}

function MemberLink({ memberId, email }: Pick<KycCaseDetail, 'memberId' | 'email'>) {
  const { member } = useSession()
  if (!member || levelOf(member, 'employee') < 1) return email
  return <a href={pathTo('console.member', { id: memberId })}>{email}</a>
}

const Lines = ({ text }: { text: string }) => <span className={styles.lines}>{text}</span>
