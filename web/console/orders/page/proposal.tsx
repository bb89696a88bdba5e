import type { ReactNode } from 'react'
import type { ConsoleOrderDetail, OrderFieldChange } from '#contract/money/console-orders.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { aloneFactor } from '#contract/people/four-eyes.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { SentenceSpace, useMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { formatDecimal } from '../../../kernel/i18n/format-decimal.ts'
import styles from '../orders.module.css'

type Props = { proposal: NonNullable<ConsoleOrderDetail['proposal']>; children?: ReactNode }

/** Who proposed what, and why. */
export function ProposalText({ proposal, children }: Props) {
  const { t, language } = useMessages()
  const { by, at, reason, correction } = proposal
  return (
    <>
      <p>
        {t(correction ? 'consoleOrders.proposal.correction' : 'consoleOrders.proposal', {
          name: staffName(by.name, language),
          time: formatMoment(at, language),
        })}
        <SentenceSpace />
        {children}
      </p>
      {reason && <p>{t('consoleOrders.proposal.reason', { reason })}</p>}
    </>
  )
}

/** Why completing the order requires a second approval. */
export function FourEyesCause({ detail }: { detail: ConsoleOrderDetail }) {
  const { t, language } = useMessages()
  const { order, secondPersonCause, twoPersonsFrom } = detail
  if (secondPersonCause === null || twoPersonsFrom === null) return null
  if (secondPersonCause === 'nothing_received') return t('consoleOrders.twoPersons.nothingReceived')
  if (secondPersonCause === 'own_change') return t('consoleOrders.twoPersons.ownChange')
  if (secondPersonCause === 'daily_total') {
    const limit = writeDecimal(BigInt(aloneFactor) * parseDecimal(twoPersonsFrom))
    return t('consoleOrders.twoPersons.dailyTotal', { amount: formatDecimal(limit, language) })
  }
  return order.exactFabQty === null
    ? t('consoleOrders.twoPersons.unknown')
    : t('consoleOrders.twoPersons', { amount: formatDecimal(twoPersonsFrom, language) })
}

const labels: Readonly<Record<string, PlainKey>> = {
  payMethod: 'consoleOrders.payMethod',
  amount: 'consoleOrders.amount',
  fabQty: 'consoleOrders.quantity',
  fabAddress: 'consoleOrders.fabAddress',
  ethAddress: 'consoleOrders.ethAddress',
  btcAddress: 'consoleOrders.btcAddress',
  email: 'consoleOrders.email',
  txId: 'consoleOrders.txId',
  paidAmount: 'consoleOrders.received',
  paidAt: 'consoleOrders.receivedAt',
  disputed: 'consoleOrders.flag.disputed',
  reportedLate: 'consoleOrders.flag.reportedLate',
  refundAddress: 'consoleOrders.refundAddress',
  refundAmount: 'consoleOrders.refundAmount',
  refundTxId: 'consoleOrders.refundTxId',
  statementLine: 'consoleOrders.statementLine',
}
const decimals: readonly string[] = ['amount', 'fabQty', 'paidAmount']
const codeOf = (field: string) => (/(?:Address|^txId|TxId)$/.test(field) ? styles.code : undefined)
const isPlainDecimal = (value: string): boolean => /^\d+(?:\.\d+)?$/.test(value)

/** Fields with their values before and after. */
export function ChangeTable({ changes }: { changes: readonly OrderFieldChange[] }) {
  const { t, language } = useMessages()
  const formatValue = (field: string, value: string | null) => {
    if (value === null) return '–'
    if (field === 'paidAt') return formatMoment(value, language)
    return decimals.includes(field) && isPlainDecimal(value) ? formatDecimal(value, language) : value
  }
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t('consoleOrders.correct.field')}</th>
          <th scope="col">{t('consoleOrders.correct.before')}</th>
          <th scope="col">{t('consoleOrders.correct.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{labels[field] ? t(labels[field]) : field}</th>
            <td className={codeOf(field)}>{formatValue(field, before)}</td>
            <td className={codeOf(field)}>{formatValue(field, after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
