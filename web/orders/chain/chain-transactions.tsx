import type { ChainPayment } from '#contract/money/chain-payments.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { TextButton } from '../../kernel/ui/button.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import type { Copying } from '../copy-lines.tsx'
import styles from './chain.module.css'
import { OnExplorer } from './explorer-link.tsx'

type Transaction = ChainPayment['transactions'][number]
/** Enough characters to tell transactions apart. */
const shownLength = 8

/** Each transaction with its full ID and its confirmations. */
export function ChainTransactions({
  payment: { transactions, coin, confirmationsNeeded },
  copy,
  explorer = null,
}: {
  payment: ChainPayment
  copy: Copying['copy']
  /** Address of the coin's block explorer. */
  explorer?: string | null
}) {
  const messages = useMessages()
  const { t, language } = messages
  if (transactions.length === 0) return null
  return (
    <div>
      <h3 className={styles.subheading} id="chain-transactions">
        {t('chainPayment.transactions')}
      </h3>
      <ul className={styles.transactions} aria-labelledby="chain-transactions">
        {transactions.map((transaction, index) => {
          const { id, amount, firstSeenAt, state, height } = transaction
          return (
            // oxlint-disable-next-line react/no-array-index-key -- one transaction may pay an address twice
            <li key={`${id} ${index}`} data-state={state}>
              <p className={styles.id}>
                <code>
                  <OnExplorer explorer={explorer} kind="tx">
                    {id}
                  </OnExplorer>
                </code>
                <TextButton
                  aria-label={t('orders.pay.copyNamed', { name: `${id.slice(0, shownLength)}…` })}
                  onClick={() => copy(t('orders.txId'), id)}
                >
                  {t('orders.pay.copy')}
                </TextButton>
              </p>
              <p className={styles.about}>
                <strong>{`${formatDecimal(amount, language)} ${coin}`}</strong>
                <span>{standing(messages, transaction, confirmationsNeeded)}</span>
                {height !== null && (
                  <span>{t('chainPayment.transaction.block', { height: String(height) })}</span>
                )}
                <span>
                  {t('chainPayment.transaction.seen')}{' '}
                  <time dateTime={firstSeenAt}>{formatMoment(firstSeenAt, language)}</time>
                </span>
              </p>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Describes the status of a transaction. */
function standing({ t }: UsedMessages, { state, confirmations }: Transaction, needed: number): string {
  if (state === 'pool') return t('chainPayment.transaction.pool')
  if (state === 'gone') return t('chainPayment.transaction.gone')
  if (confirmations >= needed) return t('chainPayment.transaction.final')
  return t('chainPayment.transaction.confirmed', { count: confirmations })
}
