import type { ChainPayment } from '#contract/money/chain-payments.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import styles from './chain.module.css'

/** Up to this number, confirmations are drawn as separate segments; more are drawn as one line. */
const piecesMax = 24

/** The received share of the payment, and its confirmations out of the required number. */
export function Confirmations({
  payment: { confirmations, confirmationsNeeded: needed, received, due, coin },
}: {
  payment: ChainPayment
}) {
  const { t, language } = useMessages()
  const reached = Math.min(confirmations, needed)
  const countText = t('chainPayment.confirmations.count', { count: reached, needed })
  return (
    <div className={styles.confirmations}>
      <div
        role="progressbar"
        aria-label={t('chainPayment.confirmations')}
        aria-valuemin={0}
        aria-valuemax={needed}
        aria-valuenow={reached}
        aria-valuetext={countText}
      >
        {needed <= piecesMax ? (
          Array.from({ length: needed }, (_, index) => (
            <span key={index} className={index < reached ? styles.reached : styles.open} />
          ))
        ) : (
          <svg viewBox={`0 0 ${needed} 1`} preserveAspectRatio="none" aria-hidden="true">
            <rect className={styles.open} width={needed} height="1" />
            <rect className={styles.reached} width={reached} height="1" />
          </svg>
        )}
      </div>
      <p>
        <span>{countText}</span>
        <span>
          {t('chainPayment.received', {
            received: formatDecimal(received, language),
            due: `${formatDecimal(due, language)} ${coin}`,
          })}
        </span>
      </p>
    </div>
  )
}
