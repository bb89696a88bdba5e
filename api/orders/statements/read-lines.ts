import { createHash } from 'node:crypto'
import type { ImportPlan, ImportProblem } from '#contract/import-payments.ts'
import { decimalPattern } from '#contract/fields.ts'
import { currencyLengthMax, txIdLengthMax } from '#contract/orders.ts'
import type { StatementField, StatementMapping } from '#contract/statements.ts'
import { transactionKey } from '../transaction-key.ts'
import type { Statement, StatementRow } from './read-statement.ts'

/** What a line says, checked as far as it can be without the orders. */
export type ImportLine = {
  line: number
  fingerprint: string
  /** What stands in the column: an order's reference, or a text that holds one. */
  reference: string
  txId: string
  /** The transaction as it is compared; empty where the statement names none. */
  key: string
  amount: string
  currency: string
  date: Date | undefined
  sender: string
  address: string
  isComplete: boolean
}
type Wrong = ImportPlan['problems'][number]
export type ReadLines = {
  lines: ImportLine[]
  /** With what could be read of the line, so that nothing is lost. */
  bad: { line: ImportLine; problem: Wrong }[]
  /** Debits, and lines without an incoming amount. */
  ignored: number
}

const valueShownMax = 60
const yes = ['yes', 'y', 'true', '1', '是']
const no = ['', 'no', 'n', 'false', '0', '否']
const debits = /^(?:d|dr|dbit|debit|s|soll|out|withdrawal|withdraw|send|sent|支出|借|提现)$/i

export function readLines({ rows }: Statement, mapping: StatementMapping): ReadLines {
  const read: ReadLines = { lines: [], bad: [], ignored: 0 }
  const seen = new Map<string, number>()
  for (const row of rows) {
    const value = (field: StatementField) => valueOf(row, mapping, field)
    if (isIgnored(value, mapping)) {
      read.ignored += 1
      continue
    }
    const line = { ...lineOf(row.line, value, mapping), fingerprint: '' }
    // Of the file itself, so that another mapping makes no other line of it. Two equal payments in one file are two.
    const said = JSON.stringify(row.cells.join('\n').trimEnd())
    const count = seen.get(said) ?? 0
    seen.set(said, count + 1)
    line.fingerprint = createHash('sha256').update(`${said} ${count}`).digest('hex')
    const problem = problemOf(line, value)
    if (problem) read.bad.push({ line, problem })
    else read.lines.push(line)
  }
  return read
}

type Value = (field: StatementField) => string

function valueOf({ cells }: StatementRow, { columns }: StatementMapping, field: StatementField): string {
  const index = columns[field]
  // NUL and other control characters have no place in a line.
  return index === undefined ? '' : (cells[index] ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
}

function isIgnored(value: Value, { numbers }: StatementMapping): boolean {
  const amount = value('amount')
  if (debits.test(value('direction'))) return true
  if (amount === '') return numbers !== 'plain'
  return /^[-−(]|[-−]$/.test(amount) && /\d/.test(amount) && !/[=@]/.test(amount)
}

const lineOf = (line: number, value: Value, mapping: StatementMapping): Omit<ImportLine, 'fingerprint'> => ({
  line,
  reference: value('reference').slice(0, 500),
  txId: value('txId').slice(0, txIdLengthMax),
  key: transactionKey(value('txId')),
  amount: (readNumber(value('amount'), mapping.numbers) ?? value('amount')).slice(0, 60),
  currency: value('currency').toUpperCase().slice(0, currencyLengthMax),
  date: readTime(value('date'), mapping.dates),
  sender: value('sender').slice(0, 200),
  address: value('address').slice(0, 128),
  isComplete: yes.includes(value('complete').toLowerCase()),
})

function problemOf(line: ImportLine, value: Value): Wrong | undefined {
  const wrong = (column: string, problem: ImportProblem, shown = ''): Wrong => ({
    line: line.line,
    column,
    problem,
    value: shown.slice(0, valueShownMax),
  })
  if (line.reference === '' && line.key === '' && line.address === '') return wrong('reference', 'required')
  if (line.amount === '') return wrong('amount', 'required')
  if (!decimalPattern.test(line.amount)) return wrong('amount', 'number', line.amount)
  if (value('date') !== '' && !line.date) return wrong('date', 'date', value('date'))
  if (value('txId').length > txIdLengthMax) return wrong('txId', 'tx_id', value('txId'))
  return [...yes, ...no].includes(value('complete').toLowerCase())
    ? undefined
    : wrong('complete', 'yes_no', value('complete'))
}

/** A decimal with a point, or undefined. A thousands separator stands between groups of three digits and nowhere else. */
export function readNumber(text: string, format: StatementMapping['numbers']): string | undefined {
  if (format === 'plain') return decimalPattern.test(text) ? text : undefined
  const bare = text
    .replaceAll(/[\s\u00a0'’]/g, '')
    .replace(/^\+/, '')
    .replace(/^(?:\p{Sc}|[A-Z]{3})|(?:\p{Sc}|[A-Z]{3})$/gu, '')
  const [group, point] = format === 'point' ? [',', '.'] : ['.', ',']
  const pattern = new RegExp(`^(\\d{1,3}(?:\\${group}\\d{3})+|\\d+)(?:\\${point}(\\d+))?$`)
  const [, whole, fraction] = pattern.exec(bare) ?? []
  if (whole === undefined) return undefined
  const number = whole.replaceAll(group, '') + (fraction === undefined ? '' : `.${fraction}`)
  return decimalPattern.test(number) ? number : undefined
}

/** A day, or a moment of UTC. Nothing is received in the future. */
export function readTime(text: string, format: StatementMapping['dates']): Date | undefined {
  const found =
    /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[T ,]+(\d\d?):(\d\d)(?::(\d\d))?(?:\.\d{1,6})?(?:Z| ?UTC)?)?$/.exec(
      text,
    )
  if (!found) return undefined
  const [, a = '', b = '', c = '', hours = '0', minutes = '0', seconds = '0'] = found
  const [year, month, day] = format === 'iso' ? [a, b, c] : format === 'dmy' ? [c, b, a] : [c, a, b]
  if ((year.length !== 4 && year.length !== 2) || day.length > 2 || month.length > 2) return undefined
  if (format === 'iso' && year.length !== 4) return undefined
  const parts = [Number(year.length === 2 ? `20${year}` : year), Number(month), Number(day)] as const
  const at = new Date(
    Date.UTC(parts[0], parts[1] - 1, parts[2], Number(hours), Number(minutes), Number(seconds)),
  )
  const isReal =
    at.getUTCFullYear() === parts[0] &&
    at.getUTCMonth() === parts[1] - 1 &&
    at.getUTCDate() === parts[2] &&
    Number(hours) < 24 &&
    Number(minutes) < 60 &&
    Number(seconds) < 60
  return isReal && parts[0] > 1999 && at.getTime() <= Date.now() ? at : undefined
}
