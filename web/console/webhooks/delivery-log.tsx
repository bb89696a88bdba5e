import { useState } from 'react'
import { HOUR } from '#contract/platform/durations.ts'
import { pageSizeDefault, pageSizeMax } from '#contract/platform/fields.ts'
import {
  type DeliveryState,
  listWebhookDeliveries,
  resendFailedDeliveries,
  resendWebhookDelivery,
  type Webhook,
  type WebhookDelivery,
} from '#contract/integrations/webhooks.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { usePolling } from '../../kernel/actions/use-polling.ts'
import { call, callPage } from '../../kernel/call/call.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { type UsedMessages, useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import { HoursDialog } from './hours-dialog.tsx'
import styles from './webhooks.module.css'

const states = ['failed', 'waiting', 'delivered'] as const
type Filter = (typeof states)[number] | ''

const ages = [1, 24, 168, 720] as const
const pollsMax = 10

type Props = {
  webhook: Webhook
  /** Incremented by every change that requires a reload. */
  reloads: number
  reload: () => void
  onChanged: () => void
}

export function DeliveryLog(props: Props) {
  const { t } = useMessages()
  const { webhook, onChanged } = props
  const [filter, setFilter] = useState<Filter>('')
  const [isResending, setResending] = useState(false)
  const resend = (hours: number) => {
    const since = new Date(Date.now() - hours * HOUR).toISOString()
    return call(resendFailedDeliveries, { body: { id: webhook.id, since } })
  }
  return (
    <PagePart id="webhook-log" heading={t('webhooks.log')} lead={t('webhooks.logLead')}>
      <div className={styles.tools}>
        <Select
          label={t('webhooks.filter')}
          value={filter}
          onChange={({ target }) => setFilter(target.value as Filter)}
        >
          <option value="">{t('webhooks.filter.all')}</option>
          {states.map((state) => (
            <option key={state} value={state}>
              {t(`webhooks.delivery.${state}`)}
            </option>
          ))}
        </Select>
        <Button kind="quiet" onClick={onChanged}>
          {t('webhooks.again')}
        </Button>
        {webhook.failed > 0 && (
          <Button kind="quiet" onClick={() => setResending(true)}>
            {t('webhooks.resendAll')}
          </Button>
        )}
      </div>
      {isResending && (
        <HoursDialog
          title={t('webhooks.resendAllTitle')}
          label={t('webhooks.resendAllDo')}
          text={t('webhooks.resendAllText')}
          choice={t('webhooks.since')}
          options={ages.map((hours) => ({ hours, label: t(`webhooks.since.${hours}`) }))}
          step={resend}
          onDone={({ count }) => {
            showNotice(t('webhooks.resendAllDone', { count }), 'success')
            onChanged()
          }}
          onClose={() => setResending(false)}
        />
      )}
      <Deliveries key={filter} filter={filter} {...props} />
    </PagePart>
  )
}

/** Reads the newest rows with as few requests as possible, because each is audited. */
async function readRows(id: string, filter: Filter, count: number) {
  const rows: WebhookDelivery[] = []
  let next: string | undefined
  do {
    const limit = Math.min(count - rows.length, pageSizeMax)
    const query = { limit, ...(filter && { state: filter }), ...(next && { after: next }) }
    const read = await callPage(listWebhookDeliveries, { params: { id }, query })
    rows.push(...read.rows)
    next = read.next
  } while (next && rows.length < count)
  return { rows, next }
}

function Deliveries({ webhook, reloads, filter, reload, onChanged }: Props & { filter: Filter }) {
  const { t } = useMessages()
  const { id, waiting, failed, failingSince, lastDeliveredAt } = webhook
  const isActive = webhook.state === 'active'
  const [length, setLength] = useState(pageSizeDefault)
  const [isUnderWay, setUnderWay] = useState(false)
  // Reading the delivery log is audited, while reading the endpoint is not. So the log is reloaded only when the
  // endpoint's counts change, and once at the end, because another failure may change none of them.
  const count = usePolling({
    isUnderWay: isUnderWay && isActive,
    seen: webhook,
    poll: reload,
    max: pollsMax,
    resetKey: reloads,
  })
  const figures = [length, reloads, waiting, failed, failingSince, lastDeliveredAt, count === pollsMax]
  const loaded = useLoaded(figures.join(' '), async () => {
    const read = await readRows(id, filter, length)
    setUnderWay(read.rows.some(({ state }) => state === 'waiting' || state === 'sending'))
    return read
  })
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('webhooks.logFailed')} />
  const { rows, next } = loaded.data
  if (rows.length === 0) return <Empty title={t(filter ? 'webhooks.logNoneOf' : 'webhooks.logNone')} />
  return (
    <>
      <ol className={styles.log}>
        {rows.map((delivery) => (
          <DeliveryEntry key={delivery.id} delivery={delivery} isSent={isActive} onChanged={onChanged} />
        ))}
      </ol>
      {next && (
        <Button kind="quiet" onClick={() => setLength(length + pageSizeDefault)}>
          {t('webhooks.more')}
        </Button>
      )}
    </>
  )
}

const colours: Readonly<Record<DeliveryState, TagColor>> = {
  waiting: 'quiet',
  sending: 'verdigris',
  retrying: 'yellow',
  delivered: 'green',
  failed: 'red',
}

type EntryProps = {
  delivery: WebhookDelivery
  /** Whether the endpoint is active. If not, there is no next attempt. */
  isSent: boolean
  onChanged: () => void
}

/** One event for the endpoint, with its delivery attempts. */
function DeliveryEntry({ delivery, isSent, onChanged }: EntryProps) {
  const { t, formatNumber, nameValue, language } = useMessages()
  const { id, type, state, createdAt, attempts, nextTryAt, subjectId } = delivery
  const { isBusy, error, run } = useAction()
  const isWaiting = state === 'waiting' || state === 'retrying'
  const action = t(isWaiting ? 'webhooks.resendNow' : 'webhooks.resend')
  const event = t(`webhooks.event.${type}`)
  const time = formatMoment(createdAt, language)
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
          <Outcome delivery={delivery} />
          <span className={styles.quiet}>
            {nameValue(t('webhooks.attempts'), formatNumber(attempts))}
            {isSent && nextTryAt && attempts > 0 && (
              <>
                {' · '}
                <time dateTime={nextTryAt}>
                  {nameValue(t('webhooks.nextTry'), formatMoment(nextTryAt, language))}
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

/** The response and its duration. During an attempt, the response is not known yet. */
function Outcome({ delivery }: Pick<EntryProps, 'delivery'>) {
  const { t } = useMessages()
  const { attempts, state, ms } = delivery
  const response = attempts > 0 && state !== 'sending' && responseText(t, delivery)
  return (
    <span>
      {response}
      {ms !== null && (
        <span className={styles.quiet}>
          {response && ' · '}
          {t('webhooks.duration', { ms })}
        </span>
      )}
    </span>
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
  const { t, language } = useMessages()
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
                  time: formatMoment(at, language),
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
