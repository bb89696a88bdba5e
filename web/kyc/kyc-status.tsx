import type { KycApplication, KycState } from '#contract/kyc.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Address } from '../ui/address.tsx'
import { Facts } from '../ui/description-list.tsx'
import { Tag, type TagColor } from '../ui/tag.tsx'
import styles from './kyc.module.css'
import { KycProgress, statusLabels } from './kyc-progress.tsx'

type StatusText = { text: PlainKey; colour: TagColor }

const states: Readonly<Record<KycState, StatusText>> = {
  submitted: { text: 'kyc.status.submitted.text', colour: 'yellow' },
  in_review: { text: 'kyc.status.inReview.text', colour: 'yellow' },
  approved: { text: 'kyc.status.approved.text', colour: 'green' },
  rejected: { text: 'kyc.status.rejected.text', colour: 'red' },
  more_info: { text: 'kyc.status.moreInfo.text', colour: 'yellow' },
  expired: { text: 'kyc.status.expired.text', colour: 'quiet' },
  withdrawn: { text: 'kyc.status.withdrawn.text', colour: 'red' },
}

const steps: readonly PlainKey[] = ['kyc.step.submitted', 'kyc.step.inReview', 'kyc.step.decided']
const stepOf: Readonly<Record<KycState, number>> = {
  submitted: 0,
  in_review: 1,
  more_info: 1,
  approved: 2,
  rejected: 2,
  expired: 2,
  withdrawn: 2,
}

const given = [
  ['country', 'kyc.country'],
  ['btcAddress', 'kyc.btcAddress'],
] as const

/** The status of an application, since when it has had that status, and why. */
export function KycStatus({
  application,
  isEarlierValid,
  onAgain,
}: {
  application: KycApplication
  /** An earlier approval is still valid. */
  isEarlierValid: boolean
  onAgain: () => void
}) {
  const { t } = useMessages()
  const { status, reason } = application
  const statusText = states[status]
  return (
    <section className={styles.status} aria-labelledby="kyc-status">
      <Steps status={status} />
      <h2 id="kyc-status">
        <Tag colour={statusText.colour}>{t(statusLabels[status])}</Tag>
      </h2>
      <p>{t(application.isFinal ? 'kyc.status.final.text' : statusText.text)}</p>
      {isEarlierValid && <p>{t('kyc.earlierHolds')}</p>}
      {reason && (
        <blockquote className={styles.reason}>
          <p>{t('kyc.reason')}</p>
          {reason}
        </blockquote>
      )}
      <KycProgress application={application} onAgain={onAgain} />
      <h3>{t('kyc.handedIn')}</h3>
      <GivenFacts application={application} />
    </section>
  )
}

function Steps({ status }: { status: KycState }) {
  const { t } = useMessages()
  const reached = stepOf[status]
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={step} data-reached={index <= reached} aria-current={index === reached ? 'step' : undefined}>
          {t(step)}
        </li>
      ))}
    </ol>
  )
}

/** What the member submitted, and when. */
function GivenFacts({ application }: { application: KycApplication }) {
  const { t, formatDateTime } = useMessages()
  const { status, createdAt, updatedAt, decidedAt } = application
  const isDecided = stepOf[status] === steps.length - 1
  const when = (iso: string) => <time dateTime={iso}>{formatDateTime(iso)}</time>
  return (
    <Facts
      facts={[
        { name: 'createdAt', label: t('kyc.createdAt'), value: when(createdAt) },
        decidedAt && isDecided
          ? { name: 'decidedAt', label: t('kyc.decidedAt'), value: when(decidedAt) }
          : { name: 'updatedAt', label: t('kyc.updatedAt'), value: when(updatedAt) },
        { name: 'name', label: t('kyc.fullName'), value: application.firstName },
        { name: 'dateOfBirth', label: t('kyc.dateOfBirth'), value: application.dateOfBirth },
        { name: 'email', label: t('forms.email.label'), value: <Address email={application.email} /> },
        ...given.flatMap(([name, label]) =>
          application[name] ? [{ name, label: t(label), value: application[name] }] : [],
        ),
        { name: 'ethAddress', label: t('kyc.ethAddress'), value: application.ethAddress },
        {
          name: 'photos',
          label: t('kyc.photos'),
          value: t('kyc.photoCount', { count: application.photoCount }),
        },
      ]}
    />
  )
}
