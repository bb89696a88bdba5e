import { useEffect, useState } from 'react'
import { getKycHistory, type KycApplication, type KycState, listKycOfMember } from '#contract/people/kyc.ts'
import { call } from '../kernel/call/call.ts'
import { ConversationPart } from '../conversations/conversation-part.tsx'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { page } from '../kernel/routes/page.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import { updateMember as updateSession } from '../kernel/session/keep-session.ts'
import { useSession } from '../kernel/session/session.ts'
import { Address } from '../kernel/ui/address.tsx'
import { Facts } from '../kernel/ui/description-list.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { PageHead } from '../kernel/ui/page-head.tsx'
import { Tag, type TagColor } from '../kernel/ui/tag.tsx'
import { KycForm } from './kyc-form.tsx'
import { KycProgress, statusLabels } from './kyc-progress.tsx'
import styles from './kyc.module.css'

function KycView() {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('kyc.heading')} lead={t('kyc.lead')} />
      {member && <Application memberId={member.id} email={member.email} />}
    </>
  )
}

/** The form until an application was submitted, then its status, and the form again only if the status requires it. */
function Application({ memberId, email }: { memberId: string; email: string }) {
  const { t } = useMessages()
  const [isApplyingAgain, setIsApplyingAgain] = useState(false)
  const loaded = useLoaded(memberId, () => call(listKycOfMember, { body: { memberId } }))
  const state = loaded.state === 'ready' ? stateOf(loaded.data) : undefined
  // Updates the session, so that other pages know of a decision made since sign-in.
  useEffect(() => {
    if (state) updateSession({ kyc: state })
  }, [state])
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('kyc.loadFailed')} failure={loaded.failure} retry={loaded.retry} />

  const newest = newestOf(loaded.data)
  function handedIn(application: KycApplication) {
    if (loaded.state !== 'ready') return
    loaded.setData([application, ...loaded.data.filter(({ _id }) => _id !== application._id)])
    setIsApplyingAgain(false)
    scrollTo(0, 0)
  }
  const stale = () => {
    setIsApplyingAgain(false)
    if (loaded.state === 'ready') loaded.reload()
  }
  const showForm = () => setIsApplyingAgain(true)
  if (newest?.status === 'more_info' && isApplyingAgain)
    return (
      <KycAnswer
        memberId={memberId}
        email={email}
        asked={newest}
        onHandedIn={handedIn}
        onStale={stale}
        onCancel={() => setIsApplyingAgain(false)}
      />
    )
  if (!newest || isApplyingAgain)
    return (
      <>
        <p>{t('kyc.form.lead')}</p>
        <KycForm
          memberId={memberId}
          email={email}
          before={newest}
          onHandedIn={handedIn}
          onStale={stale}
          {...(newest && { onCancel: () => setIsApplyingAgain(false) })}
        />
      </>
    )
  return (
    <KycStatus
      application={newest}
      isEarlierValid={hasEarlierApproval(newest, loaded.data)}
      onAgain={showForm}
    />
  )
}

const newestOf = (applications: readonly KycApplication[]): KycApplication | undefined =>
  [...applications].sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0]

/** An approval stays valid while another application is pending. A final rejection voids it. */
function stateOf(all: readonly KycApplication[]): KycState | 'none' {
  const isApproved = all.some(({ status }) => status === 'approved') && !all.some(({ isFinal }) => isFinal)
  return isApproved ? 'approved' : (newestOf(all)?.status ?? 'none')
}

/** A final rejection voids earlier approvals. */
const hasEarlierApproval = (newest: KycApplication, all: readonly KycApplication[]): boolean =>
  newest.status !== 'approved' && !newest.isFinal && all.some(({ status }) => status === 'approved')

type Props = {
  memberId: string
  email: string
  asked: KycApplication
  onHandedIn: (application: KycApplication) => void
  onStale: () => void
  onCancel: () => void
}

/**
 * The form with the reviewer's request above it. Accepted data stays, and only what the reviewer asked for is requested
 * again.
 */
export function KycAnswer({ asked, ...form }: Props) {
  const { t } = useMessages()
  const { _id: id, updatedAt, reason, photoCount } = asked
  const loaded = useLoaded(`${id} ${updatedAt}`, () => call(getKycHistory, { params: { id } }))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('kyc.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const photos = loaded.data.photos.filter(({ isReplaced }) => !isReplaced)
  const refused = photos.filter(({ verdict }) => verdict === 'refused')
  // If they were deleted in the meantime, none is left.
  const kept = photoCount === 0 ? 0 : photos.length - refused.length
  const needsPhotos = kept === 0 || refused.length > 0
  return (
    <>
      <section className={styles.status} aria-labelledby="kyc-question">
        <h2 id="kyc-question">{t('kyc.answer.heading')}</h2>
        <blockquote className={styles.reason}>
          <p>{t('kyc.reason')}</p>
          {reason}
        </blockquote>
        {refused.length > 0 && (
          <>
            <h3>{t('kyc.answer.refused')}</h3>
            <ul className={styles.history}>
              {refused.map(({ n, reason: why }) => (
                <li key={n}>
                  <strong>{t('kyc.photoNumber', { number: n + 1 })}</strong> <span>{why}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        {kept > 0 && <p>{t('kyc.answer.kept', { count: kept })}</p>}
        {!needsPhotos && <p>{t('kyc.answer.photosOptional')}</p>}
        <p>{t('kyc.answer.rest')}</p>
      </section>
      <KycForm {...form} before={asked} asked={{ id, kept, needsPhotos }} />
    </>
  )
}

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
function KycStatus({
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
      <ConversationPart memberId={application.memberId} about="identity" of={application._id} />
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
  const { t, formatDate, formatDateTime } = useMessages()
  const { status, createdAt, updatedAt, decidedAt, dateOfBirth } = application
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
        { name: 'dateOfBirth', label: t('kyc.dateOfBirth'), value: dateOfBirth && formatDate(dateOfBirth) },
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

export default page({ View: KycView })
