import type { ImportPlan, ImportProblem } from '#contract/money/import-payments.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Table } from '../../../kernel/ui/table.tsx'
import styles from '../orders.module.css'

export const problemMessages: Readonly<Record<ImportProblem, PlainKey>> = {
  empty: 'consoleOrders.import.problem.empty',
  encoding: 'consoleOrders.import.problem.encoding',
  separator: 'consoleOrders.import.problem.separator',
  xml: 'consoleOrders.import.problem.xml',
  too_many_lines: 'consoleOrders.import.problem.tooManyLines',
  column_missing: 'consoleOrders.import.problem.columnMissing',
  required: 'consoleOrders.import.problem.required',
  cells: 'consoleOrders.import.problem.cells',
  quotes: 'consoleOrders.import.problem.quotes',
  several_payments: 'consoleOrders.import.problem.severalPayments',
  reversal: 'consoleOrders.import.problem.reversal',
  returned: 'consoleOrders.import.problem.returned',
  outgoing: 'consoleOrders.import.problem.outgoing',
  looks_imported: 'consoleOrders.import.problem.looksImported',
  unknown_order: 'consoleOrders.import.problem.unknownOrder',
  ambiguous: 'consoleOrders.import.problem.ambiguous',
  shared_address: 'consoleOrders.import.problem.sharedAddress',
  reported_only: 'consoleOrders.import.problem.reportedOnly',
  other_amount: 'consoleOrders.import.problem.otherAmount',
  older_than_order: 'consoleOrders.import.problem.olderThanOrder',
  no_date: 'consoleOrders.import.problem.noDate',
  differs_from_chain: 'consoleOrders.import.problem.differsFromChain',
  amount_currency: 'consoleOrders.import.problem.amountCurrency',
  currency: 'consoleOrders.import.problem.currency',
  other_payment: 'consoleOrders.import.problem.otherPayment',
  order_twice: 'consoleOrders.import.problem.orderTwice',
  own_order: 'consoleOrders.import.problem.ownOrder',
  mapped_by_owner: 'consoleOrders.import.problem.mappedByOwner',
  tx_id: 'consoleOrders.import.problem.txId',
  tx_used: 'consoleOrders.import.problem.txUsed',
  tx_twice: 'consoleOrders.import.problem.txTwice',
  other_tx: 'consoleOrders.import.problem.otherTx',
  number: 'consoleOrders.import.problem.number',
  amount_differs: 'consoleOrders.import.problem.amountDiffers',
  date: 'consoleOrders.import.problem.date',
  yes_no: 'consoleOrders.import.problem.yesNo',
  direction: 'consoleOrders.import.problem.direction',
  status: 'consoleOrders.import.problem.status',
  closed: 'consoleOrders.import.problem.closed',
  unsettled: 'consoleOrders.import.problem.unsettled',
  withdrawn: 'consoleOrders.import.problem.withdrawn',
  refused: 'consoleOrders.import.problem.refused',
  more: 'consoleOrders.import.problem.more',
}

/** Problems by line and column, counted as in an editor or a spreadsheet. */
export function PlanProblems({ problems }: Pick<ImportPlan, 'problems'>) {
  const { t, formatNumber } = useMessages()
  return (
    <Table
      caption={t('consoleOrders.import.problems')}
      rows={problems}
      rowKey={({ line, column, problem }) => `${line} ${column} ${problem}`}
      columns={[
        {
          name: 'line',
          heading: t('consoleOrders.import.line'),
          isFigure: true,
          cell: ({ line }) => (line === 0 ? t('consoleOrders.import.wholeFile') : formatNumber(line)),
        },
        {
          name: 'column',
          heading: t('consoleOrders.import.column'),
          cell: ({ column }) => <code>{column || '–'}</code>,
        },
        {
          name: 'problem',
          heading: t('consoleOrders.import.problem'),
          cell: ({ problem }) => t(problemMessages[problem]),
        },
        {
          name: 'value',
          heading: t('consoleOrders.import.value'),
          cell: ({ value }) => <span className={styles.code}>{value || '–'}</span>,
        },
      ]}
    />
  )
}
