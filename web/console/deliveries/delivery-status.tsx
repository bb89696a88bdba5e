import type { ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import { DAY } from '#contract/platform/durations.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { deliveryColors, isOpen } from '../../orders/delivery/delivery-labels.ts'
import styles from '../orders/orders.module.css'

/** A due delivery that nothing holds is overdue after this time. */
const overdueAfter = 7 * DAY
const isOverdue = ({ state, dueAt }: Pick<ConsoleDelivery, 'state' | 'dueAt'>): boolean =>
  state === 'due' && Date.now() - Date.parse(dueAt) > overdueAfter

type Props = { of: Pick<ConsoleDelivery, 'state' | 'hold' | 'holdNote' | 'dueAt'> }

/** The status, whether it is overdue, and what an open delivery waits for. */
export function DeliveryStatus({ of: { state, hold, holdNote, dueAt } }: Props) {
  const { t } = useMessages()
  const isHeld = hold !== null && isOpen({ state })
  return (
    <div className={styles.tags}>
      <Tag colour={deliveryColors[state]}>{t(`consoleDeliveries.state.${state}`)}</Tag>
      {isOverdue({ state, dueAt }) && <Tag colour="red">{t('consoleDeliveries.overdue')}</Tag>}
      {isHeld && <span>{t(`consoleDeliveries.hold.${hold}`)}</span>}
      {isHeld && holdNote !== '' && <span>{t('consoleDeliveries.hold.reason', { reason: holdNote })}</span>}
    </div>
  )
}
