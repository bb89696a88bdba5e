import { listRecoveryRequests } from '#contract/account-recovery.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { WaitingForNote, waitingForOf, type WaitingFor } from '../../waiting-for/waiting-for-note.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { RecoveryRequestCard } from './recovery-request-card.tsx'
import styles from './account-recovery.module.css'

/** Recovery requests of members who lost their second factor and their recovery codes. */
function RecoveryRequestsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const head = <PageHead heading={t('lostFactors.heading')} lead={t('lostFactors.lead')} />
  if (!member) return head
  const waitingFor = waitingForOf(search)
  return (
    <>
      {head}
      <WaitingForNote waitingFor={waitingFor} all={pathTo('console.lostFactors')} />
      <Requests staffId={member.id} waitingFor={waitingFor} />
    </>
  )
}

function Requests({ staffId, waitingFor }: { staffId: string; waitingFor: WaitingFor }) {
  const { t } = useMessages()
  const loaded = useLoaded(`lost factors ${waitingFor ?? ''}`, () =>
    call(listRecoveryRequests, waitingFor ? { query: { waitingFor } } : {}),
  )
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('lostFactors.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const { data, setData, reload } = loaded
  if (data.length === 0) return <Empty title={t('lostFactors.none')} />
  return (
    <ul className={styles.list}>
      {data.map((request) => (
        <RecoveryRequestCard
          key={request.id}
          request={request}
          staffId={staffId}
          onChanged={(changed) => setData(data.map((each) => (each.id === changed.id ? changed : each)))}
          onGone={reload}
        />
      ))}
    </ul>
  )
}

export default page({ View: RecoveryRequestsView })
