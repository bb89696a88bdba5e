import type { ReactNode } from 'react'
import type { Delivery } from '#contract/money/deliveries.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { OnExplorer } from '../chain/explorer-link.tsx'
import { deliveryColors, holdKey } from './delivery-labels.ts'
import styles from './delivery.module.css'

type Step = { words: PlainKey; at: string | null; isDone: boolean }

/** The steps of a delivery. Those without a date are still to come. */
function stepsOf({ state, dueAt, sentAt, confirmedAt }: Delivery, completedAt: string | null): Step[] {
  const isSent = state === 'sent' || state === 'confirmed'
  return [
    { words: 'deliveries.step.completed', at: completedAt, isDone: true },
    { words: 'deliveries.step.due', at: dueAt, isDone: isSent || state !== 'scheduled' },
    { words: 'deliveries.step.sent', at: sentAt, isDone: isSent },
    { words: 'deliveries.step.confirmed', at: confirmedAt, isDone: state === 'confirmed' },
  ]
}

type Props = {
  of: Delivery
  /** When the order was completed, if that is known. */
  completedAt: string | null
  explorer: string | null
  /** Whether the page says elsewhere until when nothing is sent to a changed address. */
  isCoolingShown: boolean
}

/** One delivery: how much, its status, when each step was done, why it waits, and its transaction. */
export function DeliverySteps({ of, completedAt, explorer, isCoolingShown }: Props) {
  const { t, language } = useMessages()
  const { state, amount, txId } = of
  const hold = holdKey(of)
  return (
    <li className={styles.delivery}>
      <p className={styles.head}>
        <strong>{t('deliveries.quantity', { quantity: formatDecimal(amount, language) })}</strong>
        <Tag colour={deliveryColors[state]}>{t(`deliveries.state.${state}`)}</Tag>
      </p>
      {state !== 'cancelled' && <Steps steps={stepsOf(of, completedAt)} />}
      {hold && !(isCoolingShown && of.hold === 'address_new') && <p className={styles.note}>{t(hold)}</p>}
      {txId && (
        <Line label={t('deliveries.txId')}>
          <OnExplorer explorer={explorer} kind="tx">
            {txId}
          </OnExplorer>
        </Line>
      )}
    </li>
  )
}

function Steps({ steps }: { steps: readonly Step[] }) {
  const { t, language } = useMessages()
  const current = steps.findIndex(({ isDone }) => !isDone)
  return (
    <ol className={styles.steps}>
      {steps.map(({ words, at, isDone }, index) => (
        <li key={words} data-done={isDone} aria-current={index === current ? 'step' : undefined}>
          <span>{t(words)}</span>
          {at && <time dateTime={at}>{formatMoment(at, language)}</time>}
        </li>
      ))}
    </ol>
  )
}

/** A label and a long value, such as an address or a transaction ID. */
export const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <p className={styles.line}>
    <span>{label}</span>
    <span className={styles.code}>{children}</span>
  </p>
)
