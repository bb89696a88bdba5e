import {
  importColumns,
  importLinesMax,
  type ImportColumn,
  type ImportPlan,
  type ImportProblem,
} from '#contract/console-orders.ts'
import { decimalPattern } from '#contract/fields.ts'
import { txIdLengthMax } from '#contract/orders.ts'
import { plainName, readCells, type Cells } from '../../read-cells.ts'
import { transactionKey } from '../transaction-key.ts'
import { beginningOf } from './console-order.queries.ts'

/** What a line says, checked as far as it can be without the orders. */
export type ImportLine = {
  line: number
  reference: string
  txId: string
  /** The transaction as it is compared. */
  key: string
  amount: string
  date: Date | undefined
  isComplete: boolean
}
type Problems = ImportPlan['problems']

const valueShownMax = 60
const required: readonly ImportColumn[] = ['reference', 'txId', 'amount']

const problem = (line: number, column: string, problem: ImportProblem, value = ''): Problems[number] => ({
  line,
  column,
  problem,
  value: value.slice(0, valueShownMax),
})

/** A file as spreadsheets write it, read line by line. What is wrong is named with its line and column. */
export function readImport(bytes: Buffer): { lines: ImportLine[]; problems: Problems } {
  const read = readCells(bytes, importLinesMax)
  if ('refused' in read)
    return { lines: [], problems: [problem(read.refused.line, '', read.refused.problem)] }
  const { columns, problems } = readHead(read.head)
  return problems.length > 0 ? { lines: [], problems } : readLines(read.body, columns)
}

function readHead({ line, cells }: Cells): { columns: (ImportColumn | undefined)[]; problems: Problems } {
  const columns = cells.map((cell) => importColumns.find((name) => plainName(name) === plainName(cell)))
  const problems = cells.flatMap((cell, at) => {
    if (columns[at] === undefined)
      return cell === '' ? [] : [problem(line, cell.slice(0, valueShownMax), 'column_unknown')]
    return columns.indexOf(columns[at]) < at ? [problem(line, columns[at], 'column_twice')] : []
  })
  const missing = required.filter((name) => !columns.includes(name))
  return { columns, problems: [...problems, ...missing.map((name) => problem(line, name, 'column_missing'))] }
}

function readLines(rows: Cells[], columns: (ImportColumn | undefined)[]) {
  const lines: ImportLine[] = []
  const problems: Problems = []
  for (const { line, cells } of rows) {
    const extra = cells.slice(columns.length).find((cell) => cell !== '')
    if (extra !== undefined) {
      problems.push(problem(line, '', 'cells', extra))
      continue
    }
    const value = (name: ImportColumn) => cells[columns.indexOf(name)] ?? ''
    const wrong = importColumns.flatMap((name) => {
      const what = problemOf(name, value(name))
      return what ? [problem(line, name, what, value(name))] : []
    })
    problems.push(...wrong)
    if (wrong.length > 0) continue
    lines.push({
      line,
      reference: beginningOf(value('reference'))!,
      txId: value('txId'),
      key: transactionKey(value('txId')),
      amount: value('amount'),
      date: value('date') === '' ? undefined : readTime(value('date')),
      isComplete: yes.includes(value('complete').toLowerCase()),
    })
  }
  return { lines, problems }
}

const yes = ['yes', 'y', 'true', '1', '是']
const no = ['', 'no', 'n', 'false', '0', '否']

function problemOf(name: ImportColumn, value: string): ImportProblem | undefined {
  if (value === '') return required.includes(name) ? 'required' : undefined
  if (/^[=+\-@]/.test(value)) return 'formula'
  if (name === 'reference') return beginningOf(value)?.length === 10 ? undefined : 'unknown_order'
  if (name === 'txId') return value.length > txIdLengthMax || /\p{Cc}/u.test(value) ? 'tx_id' : undefined
  if (name === 'amount') return decimalPattern.test(value) ? undefined : 'number'
  if (name === 'date') return readTime(value) ? undefined : 'date'
  return [...yes, ...no].includes(value.toLowerCase()) ? undefined : 'yes_no'
}

/** A day, or a moment of UTC: `2036-05-01`, `2036-05-01 09:30`, `2036-05-01T09:30:00Z`. Nothing is received in the future. */
function readTime(text: string): Date | undefined {
  const found = /^([12]\d{3}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d{1,3})?Z?)?$/.exec(text)
  if (!found) return undefined
  const [, day = '', minutes = '00:00', seconds = ':00'] = found
  const at = new Date(`${day}T${minutes}${seconds}.000Z`)
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${day}T${minutes}${seconds}`)
  return isReal && at.getTime() <= Date.now() ? at : undefined
}
