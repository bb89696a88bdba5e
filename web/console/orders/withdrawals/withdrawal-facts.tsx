import type { ConsoleWithdrawalDetail } from '#contract/console-withdrawals.ts'
import { useMessages, type UsedMessages } from '../../../i18n/messages.tsx'
import { Facts, type Fact } from '../../../ui/description-list.tsx'
import { Figure, Moment } from '../orders-list.tsx'
import styles from '../orders.module.css'
import { basisLabels } from './withdrawal-labels.ts'
import { WithdrawalTags } from './withdrawals-list.tsx'

export const refundToFact = (
  t: UsedMessages['t'],
  { withdrawal: { refundAddress }, refundChain }: ConsoleWithdrawalDetail,
): Fact => ({
  name: 'refundTo',
  label: t('consoleWithdrawals.refundTo'),
  value: refundAddress ? (
    <span className={styles.code}>{refundAddress}</span>
  ) : (
    t(refundChain === null ? 'consoleWithdrawals.refundTo.account' : 'consoleWithdrawals.refundTo.ask')
  ),
})

/** The request, the messages, and the refund. */
export function WithdrawalFacts({ detail }: { detail: ConsoleWithdrawalDetail }) {
  const { t, formatDate } = useMessages()
  const { withdrawal, refund, amount, currency, seenOnChain, decidedBy, refundedBy } = detail
  const facts: (Fact | false)[] = [
    {
      name: 'state',
      label: t('consoleWithdrawals.state'),
      value: <WithdrawalTags state={detail.state} isOverdue={detail.isOverdue} />,
    },
    {
      name: 'requested',
      label: t('consoleWithdrawals.requested'),
      value: <Moment at={detail.requestedAt} />,
    },
    { name: 'until', label: t('consoleWithdrawals.until'), value: <Moment at={detail.until} /> },
    {
      name: 'amount',
      label: t(basisLabels[detail.amountIs]),
      value: <Figure value={amount} unit={currency} />,
    },
    seenOnChain !== null &&
      detail.amountIs === 'received' && {
        name: 'seenOnChain',
        label: t('consoleWithdrawals.seenOnChain'),
        value: <Figure value={seenOnChain} unit={currency} />,
      },
    detail.state !== 'unpaid' && refundToFact(t, detail),
    (detail.state === 'requested' || detail.state === 'accepted') && {
      name: 'due',
      label: t('consoleWithdrawals.due'),
      value: <Moment at={detail.refundBefore} />,
    },
    withdrawal.note !== '' && {
      name: 'note',
      label: t('consoleWithdrawals.note'),
      value: withdrawal.note,
    },
    withdrawal.reason !== '' && {
      name: 'reason',
      label: t('consoleWithdrawals.reason'),
      value: withdrawal.reason,
    },
    decidedBy !== null && {
      name: 'decidedBy',
      label: t('consoleWithdrawals.decidedBy'),
      value: decidedBy.name,
    },
    refund !== null && {
      name: 'refunded',
      label: t('consoleWithdrawals.refunded'),
      value: <Figure value={refund.amount} unit={refund.currency} />,
    },
    refund !== null && {
      name: 'paidOn',
      label: t('consoleWithdrawals.paidOn'),
      value: formatDate(refund.paidOn),
    },
    refund !== null && {
      name: 'txId',
      label: t('consoleWithdrawals.txId'),
      value: <span className={styles.code}>{refund.txId}</span>,
    },
    refundedBy !== null && {
      name: 'refundedBy',
      label: t('consoleWithdrawals.refundedBy'),
      value: refundedBy.name,
    },
  ]
  return <Facts facts={facts.filter((fact) => fact !== false)} />
}
