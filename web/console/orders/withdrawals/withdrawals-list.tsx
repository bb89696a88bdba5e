import {
  exportConsoleWithdrawals,
  listConsoleWithdrawals,
  withdrawalFlags,
  type ConsoleWithdrawal,
} from '#contract/console-withdrawals.ts'
import { withdrawalStates } from '#contract/withdrawals.ts'
import { useWords } from '../../../i18n/words.tsx'
import { pathTo } from '../../../routes/routes.ts'
import { Tag } from '../../../ui/tag.tsx'
import { Address } from '../../list/address.tsx'
import type { ListSpec } from '../../list/list-spec.ts'
import { ListTime } from '../../list/list-time.tsx'
import { Figure } from '../orders-list.tsx'
import styles from '../orders.module.css'
import { basisWords, flagWords, stateWords } from './withdrawal-words.ts'

export const withdrawalsList: ListSpec<typeof listConsoleWithdrawals, ConsoleWithdrawal> = {
  name: 'withdrawals',
  route: 'console.withdrawals',
  endpoint: listConsoleWithdrawals,
  rowsOf: (withdrawals) => withdrawals,
  caption: 'consoleWithdrawals.caption',
  rowKey: ({ id }) => id,
  nameOf: ({ reference }) => reference,
  defaultSort: '-requested',
  none: { title: 'consoleWithdrawals.none' },
  file: exportConsoleWithdrawals,
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
        state === 'requested' || state === 'accepted' ? <ListTime at={refundBefore} /> : '–',
    },
    {
      name: 'refunded',
      heading: 'consoleWithdrawals.refunded',
      isFigure: true,
      isExtra: true,
      cell: ({ refund }) => (refund ? <Figure value={refund.amount} unit={refund.currency} /> : '–'),
    },
    {
      name: 'txId',
      heading: 'consoleWithdrawals.txId',
      isExtra: true,
      cell: ({ refund }) => <span className={styles.code}>{refund?.txId ?? '–'}</span>,
    },
  ],
  filters: [
    {
      name: 'q',
      label: 'consoleWithdrawals.search',
      kind: 'search',
      placeholder: 'consoleWithdrawals.search.placeholder',
    },
    {
      name: 'state',
      label: 'consoleWithdrawals.state',
      kind: 'choice',
      options: withdrawalStates.map((value) => ({ value, label: stateWords[value].words })),
    },
    {
      name: 'flag',
      label: 'consoleWithdrawals.flag',
      kind: 'choice',
      options: withdrawalFlags.map((value) => ({ value, label: flagWords[value] })),
    },
    { name: 'coin', label: 'consoleWithdrawals.coin', kind: 'text' },
    { name: 'from', label: 'consoleWithdrawals.from', kind: 'day' },
    { name: 'to', label: 'consoleWithdrawals.to', kind: 'day' },
  ],
}

/** Of what nobody recorded as received it is said: what was due is no payment. */
function Sum({ of: { amount, amountIs, currency } }: { of: ConsoleWithdrawal }) {
  const { t } = useWords()
  return (
    <div>
      <Figure value={amount} unit={currency} />
      {amountIs !== 'received' && <span className={styles.basis}>{t(basisWords[amountIs])}</span>}
    </div>
  )
}

export function WithdrawalTags({ state, isOverdue }: Pick<ConsoleWithdrawal, 'state' | 'isOverdue'>) {
  const { t } = useWords()
  const { words, colour } = stateWords[state]
  return (
    <>
      <Tag colour={colour}>{t(words)}</Tag>{' '}
      {isOverdue && <Tag colour="red">{t('consoleWithdrawals.overdue')}</Tag>}
    </>
  )
}
