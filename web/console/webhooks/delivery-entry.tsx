import { resendWebhookDelivery, type DeliveryState, type WebhookDelivery } from '#contract/webhooks.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { useMessages, type UsedMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Tag, type TagColor } from '../../ui/tag.tsx'
import styles from './webhooks.module.css'

const colours: Readonly<Record<DeliveryState, TagColor>> = {
  waiting: 'quiet',
  sending: 'verdigris',
  retrying: 'yellow',
  delivered: 'green',
  failed: 'red',
}

type Props = {
  delivery: WebhookDelivery
  /** Whether the endpoint is active. If not, there is no next attempt. */
  isSent: boolean
  onChanged: () => void
}

/** One event for the endpoint, with its delivery attempts. */
export function DeliveryEntry({ delivery, isSent, onChanged }: Props) {
  const { t, formatDateTime, formatNumber, nameValue } = useMessages()
  const { id, type, state, createdAt, attempts, nextTryAt, subjectId, ms } = delivery
  const { isBusy, error, run } = useAction()
  const isWaiting = state === 'waiting' || state === 'retrying'
  const action = t(isWaiting ? 'webhooks.resendNow' : 'webhooks.resend')
  const event = t(`webhooks.event.${type}`)
  const time = formatDateTime(createdAt)
  const resend = async () => {
    await call(resendWebhookDelivery, { body: { id } })
    showNotice(t('webhooks.resent'), 'success')
    onChanged()
  }
  return (
    <li>
      <div className={styles.entry}>
        <div className={styles.happened}>
          <strong>{event}</strong>
          <time dateTime={createdAt}>{time}</time>
          <span className={styles.quiet}>{subjectId || t('webhooks.ofFinance')}</span>
        </div>
        <div className={styles.became}>
          <Tag colour={colours[state]}>{t(`webhooks.delivery.${state}`)}</Tag>
          <span>
            {attempts > 0 && state !== 'sending' && responseText(t, delivery)}
            {ms !== null && <span className={styles.quiet}> · {t('webhooks.duration', { ms })}</span>}
          </span>
          <span className={styles.quiet}>
            {nameValue(t('webhooks.attempts'), formatNumber(attempts))}
            {isSent && nextTryAt && attempts > 0 && (
              <>
                {' · '}
                <time dateTime={nextTryAt}>
                  {nameValue(t('webhooks.nextTry'), formatDateTime(nextTryAt))}
                </time>
              </>
            )}
          </span>
        </div>
        {state !== 'sending' && (
          <Button
            kind="quiet"
            busy={isBusy}
            aria-label={t('webhooks.resendNamed', { action, event, time })}
            onClick={() => void run(resend)}
          >
            {action}
          </Button>
        )}
      </div>
      <FormStatus error={error} />
      <Details delivery={delivery} />
    </li>
  )
}

const inOneLine = (...parts: (string | false | null)[]) => parts.filter(Boolean).join(' · ')

/** Describes the endpoint's response, or why there was none. */
const responseText = (
  t: UsedMessages['t'],
  { status, trouble }: Pick<WebhookDelivery, 'status' | 'trouble'>,
): string =>
  inOneLine(status !== null && `HTTP ${status}`, trouble && t(`webhooks.trouble.${trouble}`)) ||
  t('webhooks.try.open')

function Details({ delivery }: { delivery: WebhookDelivery }) {
  const { t, formatDateTime } = useMessages()
  const { eventId, body, responseExcerpt, tries } = delivery
  return (
    <details className={styles.details}>
      <summary>{t('webhooks.details')}</summary>
      <h3>{t('webhooks.eventId')}</h3>
      <pre>{eventId}</pre>
      <h3>{t('webhooks.body')}</h3>
      {body ? <pre>{JSON.stringify(JSON.parse(body), null, 2)}</pre> : <p>{t('webhooks.ofFinance')}</p>}
      <h3>{t('webhooks.response')}</h3>
      {responseExcerpt ? (
        <pre>{responseExcerpt}</pre>
      ) : (
        <p>{t(body ? 'webhooks.responseNone' : 'webhooks.ofFinance')}</p>
      )}
      {tries.length > 0 && (
        <>
          <h3>{t('webhooks.tries')}</h3>
          <ol className={styles.tries}>
            {tries.map(({ at, ms, ...response }) => (
              <li key={at}>
                {t('webhooks.try', {
                  time: formatDateTime(at),
                  what: inOneLine(responseText(t, response), ms !== null && t('webhooks.duration', { ms })),
                })}
              </li>
            ))}
          </ol>
        </>
      )}
    </details>
  )
}
