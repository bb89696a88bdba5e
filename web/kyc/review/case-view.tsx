import { getKycCase } from '#contract/kyc-review.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { navigate } from '../../navigation/navigate.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { CaseHead } from './case/case-head.tsx'
import styles from './case/case.module.css'
import { useKeys } from './keys/use-keys.ts'
import { OpenCase } from './open-case.tsx'
import { pathToCase, pathToQueue } from './review-address.ts'
import type { CaseProps } from './use-case-actions.ts'

/** One case: the data next to the photos, its history, and the decision. */
export function CaseView(props: CaseProps) {
  const { id, filter, previous, next } = props
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getKycCase, { params: { id } }))
  const kycCase = loaded.state === 'ready' ? loaded.data : undefined
  // Members who see this page can read every other case.
  const isOwn =
    loaded.state === 'failed' && loaded.failure instanceof CallFailed && loaded.failure.code === 'forbidden'
  const goTo = (path: string) => void navigate(path)
  useKeys({
    back: () => goTo(pathToQueue(filter)),
    next: next && (() => goTo(pathToCase(next._id, filter))),
    previous: previous && (() => goTo(pathToCase(previous._id, filter))),
  })
  return (
    <article className={styles.case}>
      <CaseHead {...props} kycCase={kycCase ?? props.known} />
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {isOwn && <Empty role="alert" title={t('review.own')} />}
      {loaded.state === 'failed' && !isOwn && (
        <LoadFailed title={t('review.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      {kycCase && loaded.state === 'ready' && (
        <OpenCase {...props} kycCase={kycCase} setKycCase={loaded.setData} />
      )}
    </article>
  )
}
