import { useState } from 'react'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { getKycHistory, renewalTime, type KycApplication, type KycState } from '#contract/people/kyc.ts'
import { call } from '../kernel/call/call.ts'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import { FormattedMessage, useMessages, type UsedMessages } from '../kernel/i18n/messages.tsx'
import { contactTag } from '../conversations/contact-tag.tsx'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { Button, ButtonLink } from '../kernel/ui/button.tsx'
import { Message } from '../kernel/ui/form-status.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import styles from './kyc.module.css'

const nextWords: Readonly<Record<KycState, PlainKey>> = {
  submitted: 'kyc.next.submitted',
  in_review: 'kyc.next.inReview',
  more_info: 'kyc.next.moreInfo',
  approved: 'kyc.next.approved',
  rejected: 'kyc.next.rejected',
  expired: 'kyc.next.expired',
  withdrawn: 'kyc.next.withdrawn',
}
const waiting: readonly KycState[] = ['submitted', 'in_review']

const again: readonly KycState[] = ['more_info', 'rejected', 'expired', 'withdrawn']

/** Whether another application can follow this one. The server checks it again. */
export const mayApplyAgain = ({ status, isFinal }: Pick<KycApplication, 'status' | 'isFinal'>): boolean =>
  again.includes(status) && !isFinal

/** The next steps and when to expect them, past events, and who has viewed the application. */
export function KycProgress({
  application: { _id, status, isFinal, updatedAt },
  onAgain,
}: {
  application: KycApplication
  onAgain: () => void
}) {
  const { t } = useMessages()
  const loaded = useLoaded(`${_id} ${updatedAt}`, () => call(getKycHistory, { params: { id: _id } }))
  const action = mayApplyAgain({ status, isFinal }) ? (
    <Button onClick={onAgain}>{t(status === 'more_info' ? 'kyc.answer' : 'kyc.again')}</Button>
  ) : status === 'approved' ? (
    <ButtonLink href={pathTo('account.accountDetails')}>{t('kyc.toOrders')}</ButtonLink>
  ) : null
  if (loaded.state !== 'ready')
    return (
      <>
        {loaded.state === 'loading' ? (
          <Loading label={t('forms.loading')} />
        ) : (
          <LoadFailed title={t('kyc.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
        )}
        {action && <div>{action}</div>}
      </>
    )
  const { steps, photos, views, usualHours, validUntil, receipt } = loaded.data
  return (
    <>
      <h3>{t('kyc.next')}</h3>
      <p>
        {isFinal ? <FormattedMessage k="kyc.next.final" tags={contactTag('here')} /> : t(nextWords[status])}
      </p>
      {validUntil && <Validity until={validUntil} onAgain={onAgain} />}
      {waiting.includes(status) && <p>{usualWords(t, usualHours)}</p>}
      {/* While the review is open, its marks can still change, and there is nothing for the member to do. */}
      {!waiting.includes(status) && <RefusedPhotos photos={photos} />}
      {action && <div>{action}</div>}
      <Steps steps={steps} />
      <Views views={views} />
      {receipt && <Receipt receipt={receipt} />}
    </>
  )
}

type History = OutputOf<typeof getKycHistory>

function RefusedPhotos({ photos }: Pick<History, 'photos'>) {
  const { t } = useMessages()
  const refused = photos.filter(({ verdict, isReplaced }) => verdict === 'refused' && !isReplaced)
  if (refused.length === 0) return null
  return (
    <>
      <h3>{t('kyc.refusedPhotos')}</h3>
      <ul className={styles.history}>
        {refused.map(({ n, reason }) => (
          <li key={n}>
            <strong>{t('kyc.photoNumber', { number: n + 1 })}</strong> <span>{reason}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Steps({ steps }: Pick<History, 'steps'>) {
  const { t, formatDateTime } = useMessages()
  return (
    <>
      <h3>{t('kyc.history')}</h3>
      <ol className={styles.history}>
        {steps.map(({ at, to, reason }) => (
          <li key={at + to}>
            <time dateTime={at}>{formatDateTime(at)}</time> <strong>{t(statusLabels[to])}</strong>
            {reason && <span>{reason}</span>}
          </li>
        ))}
      </ol>
    </>
  )
}

/** Who has viewed the application and its photos. */
function Views({ views }: Pick<History, 'views'>) {
  const { t, formatDateTime } = useMessages()
  return (
    <>
      <h3>{t('kyc.views')}</h3>
      {views.length === 0 && <p>{t('kyc.views.none')}</p>}
      <ol className={styles.history}>
        {views.map(({ at, what, by }, index) => (
          <li key={`${index} ${at}`}>
            <time dateTime={at}>{formatDateTime(at)}</time>{' '}
            {t(what === 'record' ? 'kyc.views.record' : 'kyc.views.photo', {
              name: by || t('kyc.views.officer'),
            })}
          </li>
        ))}
      </ol>
    </>
  )
}

function Receipt({ receipt }: { receipt: NonNullable<History['receipt']> }) {
  const { t, formatDateTime } = useMessages()
  return (
    <>
      <h3>{t('kyc.receipt')}</h3>
      <p>{t('kyc.receipt.text', { time: formatDateTime(receipt.at), entry: receipt.entry })}</p>
      <p>
        <code className={styles.hash}>{receipt.hash}</code>
      </p>
    </>
  )
}

/** What to do when the approval is about to expire. */
function Validity({ until, onAgain }: { until: string; onAgain: () => void }) {
  const { t, formatDate } = useMessages()
  const [now] = useState(() => Date.now())
  const date = formatDate(until)
  if (Date.parse(until) - now > renewalTime) return <p>{t('kyc.validUntil', { date })}</p>
  return (
    <Message kind="note">
      <p>{t('kyc.renew', { date })}</p>
      <Button kind="quiet" onClick={onAgain}>
        {t('kyc.renew.begin')}
      </Button>
    </Message>
  )
}

const daysFrom = 48

function usualWords(t: UsedMessages['t'], hours: number | null): string {
  if (hours === null) return t('kyc.usual.none')
  // The message has no singular, and what takes an hour is also decided within two.
  return hours <= daysFrom
    ? t('kyc.usual.hours', { hours: Math.max(hours, 2) })
    : t('kyc.usual.days', { days: Math.ceil(hours / 24) })
}

export const statusLabels: Readonly<Record<KycState, PlainKey>> = {
  submitted: 'kyc.status.submitted',
  in_review: 'kyc.status.inReview',
  approved: 'kyc.status.approved',
  rejected: 'kyc.status.rejected',
  more_info: 'kyc.status.moreInfo',
  expired: 'kyc.status.expired',
  withdrawn: 'kyc.status.withdrawn',
}
