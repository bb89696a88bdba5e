import type { StatementField, StatementMapping } from '#contract/statements.ts'
import { plainName } from '../../read-cells.ts'
import type { StatementRow } from './read-statement.ts'

/** The names that banks and exchanges give their columns, as `plainName` writes them. The first that is found wins. */
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
    '交易时间',
    '交易日期',
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
    '备注',
    '附言',
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
    '对方户名',
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
  direction: ['direction', 'debitcredit', 'creditdebit', 'creditdebitindicator', 'type', '借贷标志', '收支'],
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

export function suggestMapping(heading: readonly string[], rows: readonly StatementRow[]): StatementMapping {
  const given = heading.map(plainName)
  const columns: StatementMapping['columns'] = {}
  for (const [field, known] of Object.entries(names) as [StatementField, readonly string[]][]) {
    const found = known.map((name) => given.indexOf(name)).find((index) => index >= 0)
    if (found !== undefined) columns[field] = found
  }
  if (isOwnFormat(heading)) return { columns, numbers: 'plain', dates: 'iso' }
  const cellsOf = (index: number | undefined) =>
    index === undefined ? [] : rows.slice(0, 50).map(({ cells }) => cells[index] ?? '')
  return { columns, numbers: numbersOf(cellsOf(columns.amount)), dates: datesOf(cellsOf(columns.date)) }
}

const numbersOf = (cells: readonly string[]): StatementMapping['numbers'] =>
  cells.some((cell) => /,\d{1,2}$|\.\d{3},/.test(cell)) ? 'comma' : 'point'

function datesOf(cells: readonly string[]): StatementMapping['dates'] {
  if (cells.every((cell) => cell === '' || /^\d{4}/.test(cell))) return 'iso'
  return cells.some((cell) => /^\d{1,2}\/(1[3-9]|2\d|3[01])\//.test(cell)) ? 'mdy' : 'dmy'
}
