import { listLostFactors } from '#contract/lost-factors.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { page } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { LostFactorRequest } from './lost-factor-request.tsx'
import styles from './lost-factors.module.css'

/** The requests of members who lost their second factor and their recovery codes. */
function LostFactorsView() {
  const { t } = useWords()
  const { member } = useSession()
  const head = <PageHead heading={t('lostFactors.heading')} lead={t('lostFactors.lead')} />
  if (!member) return head
  return (
    <>
      {head}
      <Requests staffId={member.id} />
    </>
  )
}

function Requests({ staffId }: { staffId: string }) {
  const { t } = useWords()
  const loaded = useLoaded('lost factors', () => call(listLostFactors, {}))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('lostFactors.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const { data, setData, reload } = loaded
  if (data.length === 0) return <Empty title={t('lostFactors.none')} />
  return (
    <ul className={styles.list}>
      {data.map((request) => (
        <LostFactorRequest
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

export default page({ View: LostFactorsView })
