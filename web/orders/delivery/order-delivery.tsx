import { getOrderDeliveries } from '#contract/money/deliveries.ts'
import type { Order } from '#contract/money/orders.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { ReceivingAddress } from './change-address.tsx'
import { DeliveryParts } from './delivery-parts.tsx'
import { DeliverySteps } from './delivery-steps.tsx'
import { standingOf } from './own-deliveries.ts'
import styles from './delivery.module.css'

type Props = {
  order: Pick<Order, '_id' | 'status' | 'updatedAt'>
  /** When the order was completed, if that is known. */
  completedAt: string | null
  onChanged: () => void
}

/** When the tokens of a completed order are sent, whether they arrived, and where they go. */
export function OrderDelivery(props: Props) {
  const { t } = useMessages()
  return props.order.status === 'completed' ? (
    <PagePart id="deliveries" heading={t('deliveries.heading')}>
      <Loaded {...props} />
    </PagePart>
  ) : null
}

function Loaded({ order, completedAt, onChanged }: Props) {
  const { t } = useMessages()
  const loaded = useLoaded(`${order._id} ${order.updatedAt}`, () =>
    call(getOrderDeliveries, { params: { id: order._id } }),
  )
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('deliveries.failed')} failure={loaded.failure} retry={loaded.retry} />
  const { data, reload } = loaded
  // Orders that were completed before deliveries were recorded have none.
  if (data.deliveries.length === 0) return <p>{t('deliveries.none')}</p>
  const isSplit = standingOf(data.deliveries).length > 1
  return (
    <>
      {isSplit ? (
        <DeliveryParts of={data} completedAt={completedAt} />
      ) : (
        <ul className={styles.deliveries}>
          {data.deliveries.map((each) => (
            <DeliverySteps
              key={each.id}
              of={each}
              completedAt={completedAt}
              explorer={data.explorer}
              isCoolingShown={data.addressUsableFrom !== null}
            />
          ))}
        </ul>
      )}
      <ReceivingAddress
        of={data}
        onChanged={() => {
          reload()
          onChanged()
        }}
      />
    </>
  )
}
