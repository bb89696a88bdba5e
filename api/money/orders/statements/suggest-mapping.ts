import {
  statementFields,
  type StatementField,
  type StatementMapping,
  type SuggestedMapping,
} from '#contract/money/statements.ts'
import { plainName } from '../../../platform/text/read-cells.ts'
import { formatOfAmounts } from './number-format.ts'
import type { StatementRow } from './read-statement.ts'
import { isCreditWord, isDebitWord, isReversalWord, isStatusWord } from './statement-words.ts'

/** Column names used by banks and exchanges, as normalized by `plainName`. The first match wins. */
const names: Readonly<Record<StatementField, readonly string[]>> = {
  date: [
    'date',
    'bookingdate',
    'completeddate',
    'completedtime',
    'time',
    'timestamp',
    'createdat',
    'buchungstag',
    'buchungsdatum',
    'valuedate',
    '交易日期',
    '交易时间',
    '记账日期',
    '入账日期',
    '日期',
  ],
  amount: [
    'amount',
    'credit',
    'creditamount',
    'paidin',
    'moneyin',
    'quantity',
    'betrag',
    'haben',
    '收入金额',
    '贷方发生额',
    '贷方金额',
    '收入',
    '交易金额',
    '金额',
    '数量',
  ],
  currency: ['currency', 'ccy', 'coin', 'asset', 'symbol', 'währung', '币种'],
  reference: [
    'reference',
    'paymentreference',
    'purpose',
    'description',
    'details',
    'memo',
    'narrative',
    'remittanceinformation',
    'verwendungszweck',
    '附言',
    '备注',
    '交易备注',
    '用途',
    '摘要',
  ],
  txId: ['txid', 'txhash', 'transactionhash', 'transactionid', 'hash', '交易哈希', '交易id', '交易号'],
  sender: [
    'sender',
    'payer',
    'payername',
    'from',
    'counterparty',
    'beguenstigterzahlungspflichtiger',
    'auftraggeber',
    '付款人',
    '付款人名称',
    '对方户名',
    '对方名称',
  ],
  address: [
    'address',
    'toaddress',
    'receivingaddress',
    'depositaddress',
    'recipientaddress',
    '地址',
    '收款地址',
  ],
  direction: [
    'direction',
    'debitcredit',
    'creditdebit',
    'creditdebitindicator',
    'type',
    '借贷标志',
    '收支',
    '收/支',
  ],
  status: [
    'status',
    'state',
    'transactionstatus',
    'transactionstate',
    'paymentstatus',
    'bookingstatus',
    'buchungsstatus',
    'umsatzstatus',
    '状态',
    '交易状态',
    '记账状态',
    '处理状态',
  ],
  complete: ['complete'],
}

const ofOurs = ['reference', 'txid', 'amount', 'date', 'complete']

/** Whether the columns are those of our own format, which needs no mapping. */
export const isOwnFormat = (heading: readonly string[]): boolean => {
  const given = heading.map(plainName)
  return (
    ['reference', 'txid', 'amount'].every((name) => given.includes(name)) &&
    given.every((name) => name === '' || ofOurs.includes(name))
  )
}

/** The mapping of our own format. */
export const ownMapping = (heading: readonly string[]): StatementMapping => ({
  columns: columnsNamed(heading),
  numbers: 'plain',
  dates: 'iso',
})

function columnsNamed(heading: readonly string[]): StatementMapping['columns'] {
  const given = heading.map(plainName)
  const columns: StatementMapping['columns'] = {}
  for (const [field, known] of Object.entries(names) as [StatementField, readonly string[]][]) {
    const found = known.map((name) => given.indexOf(name)).find((index) => index >= 0)
    if (found !== undefined) columns[field] = found
  }
  return columns
}

export function suggestMapping(heading: readonly string[], rows: readonly StatementRow[]): SuggestedMapping {
  const columns = columnsNamed(heading)
  columns.status ??= findByCells(columns, heading, rows, (cells) => cells.some(isStatusWord))
  columns.direction ??= findByCells(columns, heading, rows, (cells) => cells.every(isDirectionWord))
  return {
    columns,
    numbers: formatOfAmounts(cellsOf(rows, columns.amount)) ?? null,
    dates: datesOf(cellsOf(rows, columns.date).slice(0, 50)),
  }
}

/** Returns the cells of the column in all rows whose cells are in their columns. */
export const cellsOf = (rows: readonly StatementRow[], index: number | undefined): string[] =>
  index === undefined ? [] : rows.filter(({ problem }) => !problem).map(({ cells }) => cells[index] ?? '')

const isDirectionWord = (cell: string): boolean =>
  isDebitWord(cell) || isCreditWord(cell) || isReversalWord(cell)

/** Returns the first column whose name isn't recognized, but whose filled cells tell what it contains. */
function findByCells(
  columns: StatementMapping['columns'],
  heading: readonly string[],
  rows: readonly StatementRow[],
  isMeant: (cells: readonly string[]) => boolean,
): number | undefined {
  const taken = statementFields.map((field) => columns[field])
  const found = heading.findIndex((_, index) => {
    const cells = rows.map((row) => row.cells[index] ?? '').filter((cell) => cell !== '')
    return !taken.includes(index) && cells.length > 0 && isMeant(cells)
  })
  return found < 0 ? undefined : found
}

function datesOf(cells: readonly string[]): StatementMapping['dates'] {
  if (cells.every((cell) => cell === '' || /^\d{4}/.test(cell))) return 'iso'
  return cells.some((cell) => /^\d{1,2}\/(1[3-9]|2\d|3[01])\//.test(cell)) ? 'mdy' : 'dmy'
}
