import { useEffect, useState } from 'react'
import { SECOND } from '#contract/durations.ts'
import { listWebhookDeliveries, type Webhook, type WebhookDelivery } from '#contract/webhooks.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useAction } from '../../actions/use-action.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
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

/** What is under way is looked at again so soon, and so often. */
const pause = 2 * SECOND
const looksMax = 10

/** `looks` counts how often something was changed, and is looked at again. */
type Props = { webhook: Webhook; looks: number; onChanged: () => void }

export function DeliveryLog({ webhook, looks, onChanged }: Props) {
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
        id={webhook.id}
        looks={looks}
        filter={filter}
        isActive={webhook.state === 'active'}
        onChanged={onChanged}
      />
    </PagePart>
  )
}

function Deliveries({
  id,
  looks: asked,
  filter,
  isActive,
  onChanged,
}: {
  id: string
  looks: number
  filter: Filter
  isActive: boolean
  onChanged: () => void
}) {
  const { t } = useWords()
  const read = (after?: string) =>
    callPage(listWebhookDeliveries, {
      params: { id },
      query: { ...(filter && { state: filter }), ...(after && { after }) },
    })
  const loaded = useLoaded(`${filter} ${asked}`, () => read())
  const { isBusy, error, run } = useAction()
  const [looks, setLooks] = useState(0)
  const data = loaded.state === 'ready' ? loaded.data : undefined
  const reload = loaded.state === 'ready' ? loaded.reload : undefined
  const isUnderWay =
    isActive && looks < looksMax && data?.rows.some(({ state }) => state === 'waiting' || state === 'sending')
  useEffect(() => {
    if (!isUnderWay || !reload) return undefined
    const timer = setTimeout(() => {
      setLooks((before) => before + 1)
      reload()
    }, pause)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- each look waits for the answer of the one before
  }, [isUnderWay, data])
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('webhooks.logFailed')} failure={loaded.failure} retry={loaded.retry} />
  const { rows, next } = loaded.data
  if (rows.length === 0) return <Empty title={t(filter ? 'webhooks.logNoneOf' : 'webhooks.logNone')} />
  const more = async () => {
    const following = await read(next)
    const known = new Set(rows.map((row) => row.id))
    const others = following.rows.filter((row: WebhookDelivery) => !known.has(row.id))
    loaded.setData({ rows: [...rows, ...others], next: following.next })
  }
  return (
    <>
      <ol className={styles.log}>
        {rows.map((delivery) => (
          <DeliveryEntry key={delivery.id} delivery={delivery} onChanged={onChanged} />
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
