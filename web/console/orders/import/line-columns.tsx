import { decimalPattern } from '#contract/fields.ts'
import type { StatementLine } from '#contract/statements.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Figure } from '../figure.tsx'
import styles from '../orders.module.css'

/** Banks report only a day, which is stored as midnight UTC. */
const isDay = (moment: string): boolean => moment.endsWith('T00:00:00.000Z')

/** Columns with what a statement line says, for open and for dismissed lines. */
export function useLineColumns(): Column<StatementLine>[] {
  const { t, formatDate, formatMoment, formatNumber } = useMessages()
  return [
    {
      name: 'received',
      heading: t('consoleOrders.openLines.received'),
      cell: ({ receivedAt, line, importedBy }) => (
        <div className={styles.day}>
          {receivedAt === null ? '–' : isDay(receivedAt) ? formatDate(receivedAt) : formatMoment(receivedAt)}
          <span className={styles.basis}>
            {t('consoleOrders.openLines.line', { line: formatNumber(line) })}
          </span>
          {importedBy.map((name) => (
            <span key={name} className={styles.basis}>
              {t('consoleOrders.openLines.importedBy', { name })}
            </span>
          ))}
        </div>
      ),
    },
    {
      name: 'amount',
      heading: t('consoleOrders.mapping.amount'),
      isFigure: true,
      // An unreadable amount is shown as it is in the file.
      cell: ({ amount, currency }) => (
        <span className={styles.reference}>
          {decimalPattern.test(amount) ? <Figure value={amount} unit={currency} /> : amount}
        </span>
      ),
    },
    {
      name: 'reference',
      heading: t('consoleOrders.mapping.reference'),
      cell: ({ reference, txId, sender, address }) => (
        <div>
          {[reference, sender].filter(Boolean).join(' · ') || (txId || address ? '' : '–')}
          {[txId, address].filter(Boolean).map((each) => (
            <span key={each} className={`${styles.basis} ${styles.code}`}>
              {each}
            </span>
          ))}
        </div>
      ),
    },
  ]
}
