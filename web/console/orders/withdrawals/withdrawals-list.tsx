import { withdrawals, withdrawalFlags, type ConsoleWithdrawal } from '#contract/money/console-withdrawals.ts'
import { withdrawalStates } from '#contract/money/withdrawals.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { pathTo } from '../../../kernel/routes/routes.ts'
import { Tag } from '../../../kernel/ui/tag.tsx'
import { Address } from '../../../kernel/ui/address.tsx'
import type { ListSpec } from '../../list/list-spec.ts'
import { ListTime } from '../../list/list-time.tsx'
import { Figure } from '../figure.tsx'
import styles from '../orders.module.css'
import { basisLabels, statusLabels } from './withdrawal-labels.ts'

export const withdrawalsList: ListSpec<typeof withdrawals> = {
  resource: withdrawals,
  route: 'console.withdrawals',
  caption: 'consoleWithdrawals.caption',
  nameOf: ({ reference }) => reference,
  none: { title: 'consoleWithdrawals.none' },
  columns: [
    {
      name: 'reference',
      heading: 'consoleWithdrawals.reference',
      cell: ({ orderId, reference }) => (
        <a className={styles.reference} href={`${pathTo('console.order', { id: orderId })}#withdrawal`}>
          {reference}
        </a>
      ),
    },
    {
      name: 'state',
      heading: 'consoleWithdrawals.state',
      cell: ({ state, isOverdue }) => <WithdrawalTags state={state} isOverdue={isOverdue} />,
    },
    {
      name: 'order',
      heading: 'consoleWithdrawals.order',
      cell: ({ orderReference }) => <span className={styles.reference}>{orderReference}</span>,
    },
    {
      name: 'member',
      heading: 'consoleWithdrawals.member',
      isAddress: true,
      cell: ({ memberEmail }) => <Address email={memberEmail} />,
    },
    {
      name: 'amount',
      heading: 'consoleWithdrawals.amount',
      isFigure: true,
      cell: (withdrawal) => <Sum of={withdrawal} />,
    },
    {
      name: 'requested',
      heading: 'consoleWithdrawals.requested',
      sort: 'requested',
      cell: ({ requestedAt }) => <ListTime at={requestedAt} />,
    },
    {
      name: 'due',
      heading: 'consoleWithdrawals.due',
      sort: 'due',
      cell: ({ refundBefore, state }) =>
        (state === 'requested' || state === 'accepted') && <ListTime at={refundBefore} />,
    },
    {
      name: 'refunded',
      heading: 'consoleWithdrawals.refunded',
      isFigure: true,
      isExtra: true,
      cell: ({ refund }) => refund && <Figure value={refund.amount} unit={refund.currency} />,
    },
    {
      name: 'txId',
      heading: 'consoleWithdrawals.txId',
      isExtra: true,
      cell: ({ refund }) => refund?.txId && <span className={styles.code}>{refund.txId}</span>,
    },
  ],
  filters: {
    q: {
      label: 'consoleWithdrawals.search',
      kind: 'search',
      placeholder: 'consoleWithdrawals.search.placeholder',
    },
    state: {
      label: 'consoleWithdrawals.state',
      kind: 'choice',
      options: withdrawalStates.map((value) => ({ value, label: statusLabels[value].words })),
    },
    flag: {
      label: 'consoleWithdrawals.flag',
      kind: 'choice',
      options: withdrawalFlags.map((value) => ({ value, label: `consoleWithdrawals.flag.${value}` })),
    },
    waitingFor: {
      label: 'console.list.waitingFor',
      kind: 'choice',
      options: [{ value: 'me', label: 'console.list.waitingFor.me' }],
    },
    coin: { label: 'consoleWithdrawals.coin', kind: 'text' },
    from: { label: 'consoleWithdrawals.from', kind: 'day' },
    to: { label: 'consoleWithdrawals.to', kind: 'day' },
  },
}

/** Marks amounts that no one recorded as received, because an amount due is not a payment. */
function Sum({ of: { amount, amountIs, currency } }: { of: ConsoleWithdrawal }) {
  const { t } = useMessages()
  return (
    <div>
      <Figure value={amount} unit={currency} />
      {amountIs !== 'received' && <span className={styles.basis}>{t(basisLabels[amountIs])}</span>}
    </div>
  )
}

export function WithdrawalTags({ state, isOverdue }: Pick<ConsoleWithdrawal, 'state' | 'isOverdue'>) {
  const { t } = useMessages()
  const { words, colour } = statusLabels[state]
  return (
    <div className={styles.tags}>
      <Tag colour={colour}>{t(words)}</Tag>
      {isOverdue && <Tag colour="red">{t('consoleWithdrawals.overdue')}</Tag>}
    </div>
  )
}
