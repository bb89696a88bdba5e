import type { ConsoleOrderDetail, ConsoleStepKind } from '#contract/console-orders.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import type { TimelineEvent } from '../../detail/timeline.tsx'
import { stepLabels } from '../order-labels.ts'
import { ChangeTable } from './change-table.tsx'
import styles from '../orders.module.css'

const ends: readonly ConsoleStepKind[] = [
  'cancelled',
  'unpaid',
  'withdrawn',
  'completion_declined',
  'completion_lapsed',
]
const waits: readonly ConsoleStepKind[] = [
  'disputed',
  'reported_late',
  'completion_proposed',
  'correction_proposed',
]

/** Payments that were reported automatically were seen on the chain. */
const seenLabel: Partial<Record<ConsoleStepKind, PlainKey>> = {
  payment_reported: 'consoleOrders.step.paymentSeen',
  reported_late: 'consoleOrders.step.paymentSeenLate',
}

/** The steps of the order with their authors. */
export function useTimeline({ steps, order }: ConsoleOrderDetail): TimelineEvent[] {
  const { t } = useMessages()
  return steps.map(({ kind, at, by, reason, txId, changes }, index) => ({
    key: String(index),
    at,
    what: t((by === null && seenLabel[kind]) || stepLabels[kind]),
    by:
      by === null
        ? t(kind === 'placed' ? 'consoleOrders.step.member' : 'consoleOrders.step.program')
        : by.id === order.memberId
          ? t('consoleOrders.step.member')
          : t('consoleOrders.step.by', { name: by.name }),
    more: (txId || reason || changes.length > 0) && (
      <>
        {txId && <p className={styles.code}>{txId}</p>}
        {reason && <p>{reason}</p>}
        {changes.length > 0 && <ChangeTable changes={changes} />}
      </>
    ),
    ...(ends.includes(kind) && { mark: 'end' as const }),
    ...(waits.includes(kind) && { mark: 'waits' as const }),
  }))
}
