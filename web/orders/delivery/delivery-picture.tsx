import type { Delivery, OrderDeliveries } from '#contract/money/deliveries.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import styles from './delivery.module.css'

const width = 600
const height = 80
/** Resolution of a share. The picture needs numbers, while the figures beside it stay exact. */
const parts = 10_000n

const share = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * parts) / whole) / Number(parts)

/** The deliveries as steps that rise to the quantity bought. The table has the same data. */
export function DeliveryPicture({ of }: { of: OrderDeliveries }) {
  const messages = useMessages()
  const steps = of.deliveries.filter(({ state }) => state !== 'cancelled')
  if (steps.length === 0) return null
  const whole = steps.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n)
  const step = width / steps.length
  let before = 0n
  const bars = steps.map((each, index) => {
    before += parseDecimal(each.amount)
    const rise = Math.max(2, share(before, whole) * (height - 4))
    return { each, x: index * step, rise }
  })
  return (
    <figure className={styles.picture}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describePicture(messages, of)}
      >
        {bars.map(({ each, x, rise }) => (
          <rect
            key={each.id}
            className={styles[kindOf(each)]}
            x={x + 1}
            y={height - rise}
            width={Math.max(1, step - 2)}
            height={rise}
          />
        ))}
      </svg>
      <figcaption>{describePicture(messages, of)}</figcaption>
    </figure>
  )
}

const kindOf = ({ state }: Delivery): 'delivered' | 'open' | 'locked' => {
  if (state === 'confirmed') return 'delivered'
  return state === 'scheduled' ? 'locked' : 'open'
}

export function describePicture({ t, language }: UsedMessages, of: OrderDeliveries): string {
  const values = {
    delivered: formatDecimal(of.delivered, language),
    bought: formatDecimal(of.bought, language),
  }
  if (of.dueNext === null) return t('deliveries.picture', values)
  return t('deliveries.picture.next', {
    ...values,
    amount: formatDecimal(of.dueNext.amount, language),
    time: formatMoment(of.dueNext.dueAt, language),
  })
}
