import type { ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { deliveryColors } from '../../orders/delivery/delivery-labels.ts'
import styles from './deliveries.module.css'
import { lastOverdueDay } from './overdue.ts'

const isOverdue = ({ state, dueAt }: Pick<ConsoleDelivery, 'state' | 'dueAt'>): boolean =>
  state === 'due' && dueAt.slice(0, 10) <= lastOverdueDay()

type Props = { of: Pick<ConsoleDelivery, 'state' | 'hold' | 'holdNote' | 'dueAt'> }

/** The status, whether it is overdue, and what prevents it. */
export function DeliveryStatus({ of: { state, hold, holdNote, dueAt } }: Props) {
  const { t, nameValue } = useMessages()
  const isHeld = hold !== null
  const reason = isHeld ? t(`consoleDeliveries.hold.${hold}`) : ''
  return (
    <div className={styles.tags}>
      <Tag colour={deliveryColors[state]}>{t(`consoleDeliveries.state.${state}`)}</Tag>
      {isOverdue({ state, dueAt }) && <Tag colour="red">{t('consoleDeliveries.overdue')}</Tag>}
      {isHeld && <small>{holdNote === '' ? reason : nameValue(reason, holdNote)}</small>}
    </div>
  )
}
