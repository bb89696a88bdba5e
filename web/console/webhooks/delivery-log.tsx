import { useRef, useState } from 'react'
import { HOUR } from '#contract/durations.ts'
import {
  listWebhookDeliveries,
  resendFailedDeliveries,
  type Webhook,
  type WebhookDelivery,
} from '#contract/webhooks.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useAction } from '../../actions/use-action.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { usePolling } from '../../actions/use-polling.ts'
import { call, callPage } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { DeliveryEntry } from './delivery-entry.tsx'
import { HoursDialog } from './hours-dialog.tsx'
import styles from './webhooks.module.css'

const states = ['failed', 'waiting', 'delivered'] as const
type Filter = (typeof states)[number] | ''

const ages = [
  { hours: 1, words: 'webhooks.since.1' },
  { hours: 24, words: 'webhooks.since.24' },
  { hours: 168, words: 'webhooks.since.168' },
  { hours: 720, words: 'webhooks.since.720' },
] as const

const pollsMax = 10

type Props = {
  webhook: Webhook
  /** Incremented by every change that requires a reload. */
  reloads: number
  reload: () => void
  onChanged: () => void
}

export function DeliveryLog({ webhook, reloads, reload, onChanged }: Props) {
  const { t } = useMessages()
  const [filter, setFilter] = useState<Filter>('')
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
        {webhook.failed > 0 && <ResendFailures id={webhook.id} onDone={onChanged} />}
      </div>
      <Deliveries
        key={filter}
        webhook={webhook}
        reloads={reloads}
        filter={filter}
        reload={reload}
        onChanged={onChanged}
      />
    </PagePart>
  )
}

/** Resends everything that failed since a given time, after the endpoint was fixed. */
function ResendFailures({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useMessages()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const resend = (hours: number) => {
    const since = new Date(Date.now() - hours * HOUR).toISOString()
    return call(resendFailedDeliveries, { body: { id, since } })
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setDialogOpen(true)}>
        {t('webhooks.resendAll')}
      </Button>
      {isDialogOpen && (
        <HoursDialog
          title="webhooks.resendAllTitle"
          label="webhooks.resendAllDo"
          text="webhooks.resendAllText"
          choice="webhooks.since"
          options={ages}
          step={resend}
          onDone={({ count }) => {
            showNotice(t('webhooks.resendAllDone', { count }), 'success')
            onDone()
          }}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </>
  )
}

type LoadedRows = { rows: WebhookDelivery[]; next?: string | undefined }

/** Returns the current first rows, followed by the older rows that were already shown. */
function withOlder(first: LoadedRows, shown: LoadedRows | undefined): LoadedRows {
  const last = first.rows.at(-1)
  if (!shown || !last) return first
  const known = new Set(first.rows.map(({ id }) => id))
  const older = shown.rows.filter(({ id, createdAt }) => !known.has(id) && createdAt <= last.createdAt)
  return { rows: [...first.rows, ...older], next: shown.next }
}

function Deliveries({ webhook, reloads: resetKey, filter, reload, onChanged }: Props & { filter: Filter }) {
  const { t } = useMessages()
  const { id, waiting, failed, failingSince, lastDeliveredAt } = webhook
  /** Set once more than the first page has been shown. */
  const shown = useRef<LoadedRows>(undefined)
  const read = (after?: string) =>
    callPage(listWebhookDeliveries, {
      params: { id },
      query: { ...(filter && { state: filter }), ...(after && { after }) },
    })
  const [isUnderWay, setUnderWay] = useState(false)
  // Reading the delivery log is audited, while reading the endpoint is not. So the log is reloaded only when the
  // endpoint's counts change, and once at the end, because another failure may change none of them.
  const count = usePolling({
    isUnderWay: isUnderWay && webhook.state === 'active',
    seen: webhook,
    poll: reload,
    max: pollsMax,
    resetKey,
  })
  const figures = [waiting, failed, failingSince, lastDeliveredAt, count === pollsMax].join(' ')
  const loaded = useLoaded(`${filter} ${resetKey} ${figures}`, async () => {
    const now = withOlder(await read(), shown.current)
    setUnderWay(now.rows.some(({ state }) => state === 'waiting' || state === 'sending'))
    return now
  })
  const { isBusy, error, run } = useAction()
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('webhooks.logFailed')} failure={loaded.failure} retry={loaded.retry} />
  const { rows, next } = loaded.data
  if (rows.length === 0) return <Empty title={t(filter ? 'webhooks.logNoneOf' : 'webhooks.logNone')} />
  const more = async () => {
    const following = await read(next)
    const known = new Set(rows.map((row) => row.id))
    const others = following.rows.filter((row: WebhookDelivery) => !known.has(row.id))
    shown.current = { rows: [...rows, ...others], next: following.next }
    loaded.setData(shown.current)
  }
  return (
    <>
      <ol className={styles.log}>
        {rows.map((delivery) => (
          <DeliveryEntry
            key={delivery.id}
            delivery={delivery}
            isSent={webhook.state === 'active'}
            onChanged={onChanged}
          />
        ))}
      </ol>
      {next && (
        <Button kind="quiet" busy={isBusy} onClick={() => void run(more)}>
          {t('webhooks.more')}
        </Button>
      )}
      <FormStatus error={error} />
    </>
  )
}
