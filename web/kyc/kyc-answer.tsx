import { getKycHistory, type KycApplication } from '#contract/kyc.ts'
import { LoadFailed } from '../actions/load-failed.tsx'
import { useLoaded } from '../actions/use-loaded.ts'
import { call } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Loading } from '../ui/loading.tsx'
import { KycForm } from './kyc-form.tsx'
import styles from './kyc.module.css'

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
