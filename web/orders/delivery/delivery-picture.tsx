import { useState } from 'react'
import type { Delivery } from '#contract/money/deliveries.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import type { DeliverySums } from './own-deliveries.ts'
import styles from './delivery.module.css'

const width = 1000
const height = 240
/** Room above the last step for its outline. */
const topRoom = 4
/** Room after the last date, so that the last part has an area of its own. */
const lastRoom = 60
/** Areas need numbers, while sums stay exact. */
const precision = 1_000_000n

type Stage = 'delivered' | 'underWay' | 'locked'
const stages = ['delivered', 'underWay', 'locked'] as const

const stageOf = ({ state }: Delivery): Stage => {
  if (state === 'confirmed') return 'delivered'
  return state === 'scheduled' ? 'locked' : 'underWay'
}

type Props = {
  /** Those that were not canceled, the first due first. */
  deliveries: readonly Delivery[]
  sums: DeliverySums
  completedAt: string | null
}

/** How many tokens are due by when, as stairs that rise with each delivery. The table below has the same data. */
export function DeliveryPicture({ deliveries, sums, completedAt }: Props) {
  const messages = useMessages()
  const { t, formatDate } = messages
  const firstDue = Date.parse(deliveries[0]!.dueAt)
  const from = completedAt === null ? firstDue : Math.min(Date.parse(completedAt), firstDue)
  const steps = stepsOf(deliveries, from)
  const last = deliveries.at(-1)!.dueAt
  const [now] = useState(() => Date.now())
  const today = placeOf(now, from, Date.parse(last))
  const used = stages.filter((stage) => steps.some((step) => step.stage === stage))
  return (
    <figure className={styles.picture}>
      <p>{t('deliveries.picture.caption')}</p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describe(messages, { deliveries, sums })}
      >
        {steps.map(({ id, x, y, width: wide, stage }) => (
          <rect key={id} className={styles[stage]} x={x} y={y} width={wide} height={height - y} />
        ))}
        {today !== null && <line className={styles.today} x1={today} x2={today} y1="0" y2={height} />}
      </svg>
      <figcaption>
        <span className={styles.dates}>
          <span>{formatDate(new Date(from).toISOString())}</span>
          <span>{formatDate(last)}</span>
        </span>
        <span className={styles.keys}>
          {used.map((stage) => (
            <span key={stage} data-of={stage}>
              {t(`deliveries.stage.${stage}`)}
            </span>
          ))}
          {today !== null && <span data-of="today">{t('deliveries.today')}</span>}
        </span>
      </figcaption>
    </figure>
  )
}

/** Where a time is in the picture, or null outside of it. */
function placeOf(at: number, from: number, to: number): number | null {
  if (at < from || at > to || to === from) return null
  return Math.round(((at - from) / (to - from)) * (width - lastRoom))
}

function stepsOf(deliveries: readonly Delivery[], from: number) {
  const to = Date.parse(deliveries.at(-1)!.dueAt)
  const total = deliveries.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n)
  let sum = 0n
  return deliveries.map((delivery, index) => {
    sum += parseDecimal(delivery.amount)
    const next = deliveries[index + 1]
    const x = placeOf(Date.parse(delivery.dueAt), from, to) ?? 0
    const end = next ? (placeOf(Date.parse(next.dueAt), from, to) ?? 0) : width
    const part = Number((sum * precision) / total) / Number(precision)
    const y = height - Math.round(part * (height - topRoom))
    return { id: delivery.id, x, y, width: end - x, stage: stageOf(delivery) }
  })
}

/** What the picture shows, in sentences. */
function describe(
  { t, language, formatDate }: UsedMessages,
  { deliveries, sums: { bought, delivered, dueNext, locked } }: Pick<Props, 'deliveries' | 'sums'>,
): string {
  const exact = (quantity: string) => formatDecimal(quantity, language)
  return [
    t('deliveries.picture', {
      count: deliveries.length,
      from: formatDate(deliveries[0]!.dueAt),
      to: formatDate(deliveries.at(-1)!.dueAt),
    }),
    t('deliveries.picture.delivered', { delivered: exact(delivered), bought: exact(bought) }),
    ...(dueNext
      ? [t('deliveries.picture.next', { quantity: exact(dueNext.amount), date: formatDate(dueNext.dueAt) })]
      : []),
    ...(parseDecimal(locked) > 0n ? [t('deliveries.picture.locked', { quantity: exact(locked) })] : []),
  ].join(language === 'cn' ? '' : ' ')
}
