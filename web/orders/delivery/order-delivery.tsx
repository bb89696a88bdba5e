import { getOrderDeliveries, type OrderDeliveries } from '#contract/money/deliveries.ts'
import type { Order } from '#contract/money/orders.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { ReceivingAddress } from './change-address.tsx'
import { DeliveryPicture } from './delivery-picture.tsx'
import { DeliveryTable } from './delivery-table.tsx'

type Props = { order: Pick<Order, '_id' | 'status' | 'updatedAt'>; onChanged: () => void }

/** When the tokens of a completed order come, what was delivered, and where they go. */
export function OrderDelivery({ order, onChanged }: Props) {
  const { t } = useMessages()
  return order.status === 'completed' ? (
    <PagePart id="deliveries" heading={t('deliveries.heading')}>
      <Loaded order={order} onChanged={onChanged} />
    </PagePart>
  ) : null
}

function Loaded({ order, onChanged }: Props) {
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
  return (
    <>
      <Figures of={data} />
      <DeliveryPicture of={data} />
      <DeliveryTable of={data} />
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

function Figures({ of: { bought, delivered, dueNext, locked } }: { of: OrderDeliveries }) {
  const { t, language } = useMessages()
  const quantity = (amount: string) => t('deliveries.quantity', { quantity: formatDecimal(amount, language) })
  return (
    <Facts
      facts={[
        { name: 'bought', label: t('deliveries.bought'), value: quantity(bought) },
        { name: 'delivered', label: t('deliveries.delivered'), value: quantity(delivered) },
        {
          name: 'dueNext',
          label: t('deliveries.dueNext'),
          value:
            dueNext === null
              ? t('deliveries.dueNext.none')
              : t('deliveries.dueNext.value', {
                  quantity: formatDecimal(dueNext.amount, language),
                  time: formatMoment(dueNext.dueAt, language),
                }),
        },
        { name: 'locked', label: t('deliveries.locked'), value: quantity(locked) },
      ]}
    />
  )
}
