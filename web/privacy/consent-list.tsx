import { listConsents } from '#contract/people/consents.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { Facts } from '../kernel/ui/description-list.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { useStore } from '../kernel/state/create-store.ts'
import { consentAnswer } from '../consents/consent-answer.ts'
import { ConsentName } from '../consents/consent-request.tsx'
import styles from './privacy.module.css'

/** The versions that the member accepted, and when. */
export function ConsentList() {
  const { t, formatDateTime } = useMessages()
  const { isAccepted } = useStore(consentAnswer)
  const loaded = useLoaded(`consents ${isAccepted}`, () => call(listConsents, {}))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <LoadFailed title={t('account.consents.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
    )
  const { given } = loaded.data
  if (given.length === 0)
    return (
      <div className={styles.part}>
        <p>{t('account.consents.none')}</p>
      </div>
    )
  return (
    <Facts
      facts={given.map((consent) => ({
        name: `${consent.document} ${consent.version} ${consent.at}`,
        label: <time dateTime={consent.at}>{formatDateTime(consent.at)}</time>,
        value: <ConsentName consent={consent} />,
      }))}
    />
  )
}
