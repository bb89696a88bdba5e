import { useRef, useState } from 'react'
import { listWebhookDeliveries, type Webhook, type WebhookDelivery } from '#contract/webhooks.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useAction } from '../../actions/use-action.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { useLooks } from '../../actions/use-looks.ts'
import { callPage } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { DeliveryEntry } from './delivery-entry.tsx'
import { ResendFailures } from './resend-failures.tsx'
import styles from './webhooks.module.css'

const states = [
  { value: '', words: 'webhooks.filter.all' },
  { value: 'failed', words: 'webhooks.delivery.failed' },
  { value: 'waiting', words: 'webhooks.delivery.waiting' },
  { value: 'delivered', words: 'webhooks.delivery.delivered' },
] as const
type Filter = (typeof states)[number]['value']

const looksMax = 10

type Props = {
  webhook: Webhook
  /** Counts how often something was changed, and is looked at again. */
  looks: number
  reload: () => void
  onChanged: () => void
}

export function DeliveryLog({ webhook, looks, reload, onChanged }: Props) {
  const { t } = useWords()
  const [filter, setFilter] = useState<Filter>('')
  return (
    <PagePart id="webhook-log" heading={t('webhooks.log')} lead={t('webhooks.logLead')}>
      <div className={styles.tools}>
        <Select
          label={t('webhooks.filter')}
          value={filter}
          onChange={({ target }) => setFilter(target.value as Filter)}
        >
          {states.map(({ value, words }) => (
            <option key={value} value={value}>
              {t(words)}
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
        looks={looks}
        filter={filter}
        reload={reload}
        onChanged={onChanged}
      />
    </PagePart>
  )
}

type Shown = { rows: WebhookDelivery[]; next?: string | undefined }

/** The first rows as they are now, with the older ones that were shown before. */
function withOlder(first: Shown, shown: Shown | undefined): Shown {
  const last = first.rows.at(-1)
  if (!shown || !last) return first
  const known = new Set(first.rows.map(({ id }) => id))
  const older = shown.rows.filter(({ id, createdAt }) => !known.has(id) && createdAt <= last.createdAt)
  return { rows: [...first.rows, ...older], next: shown.next }
}

function Deliveries({ webhook, looks: asked, filter, reload, onChanged }: Props & { filter: Filter }) {
  const { t } = useWords()
  const { id, waiting, failed, failingSince, lastDeliveredAt } = webhook
  /** Once there was more than the first page. */
  const shown = useRef<Shown>(undefined)
  const read = (after?: string) =>
    callPage(listWebhookDeliveries, {
      params: { id },
      query: { ...(filter && { state: filter }), ...(after && { after }) },
    })
  const [isUnderWay, setUnderWay] = useState(false)
  // Reading the log is written to the audit log, and looking at the endpoint is not: the log is read once its figures say that something
  // became of it, and at the end, because a further failure changes none of them.
  const count = useLooks({
    isUnderWay: isUnderWay && webhook.state === 'active',
    seen: webhook,
    look: reload,
    max: looksMax,
    asked,
  })
  const figures = [waiting, failed, failingSince, lastDeliveredAt, count === looksMax].join(' ')
  const loaded = useLoaded(`${filter} ${asked} ${figures}`, async () => {
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
