import { useEffect, useState } from 'react'
import { listKycOfMember, type KycApplication, type KycState } from '#contract/kyc.ts'
import { call } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { page } from '../routes/page.ts'
import { LoadFailed } from '../actions/load-failed.tsx'
import { useLoaded } from '../actions/use-loaded.ts'
import { updateMember as updateSession } from '../session/keep-session.ts'
import { useSession } from '../session/session.ts'
import { Loading } from '../ui/loading.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { KycAnswer } from './kyc-answer.tsx'
import { KycForm } from './kyc-form.tsx'
import { KycStatus } from './kyc-status.tsx'

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

export default page({ View: KycView })
