import {
  importColumns,
  importLinesMax,
  type ImportColumn,
  type ImportPlan,
  type ImportProblem,
} from '#contract/console-orders.ts'
import { decimalPattern } from '#contract/fields.ts'
import { txIdLengthMax } from '#contract/orders.ts'
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
type Cells = { line: number; cells: string[] }

const valueShownMax = 60
/** Spreadsheets write empty columns, too, but not so many. */
const cellsMax = 50
const required: readonly ImportColumn[] = ['reference', 'txId', 'amount']

const problem = (line: number, column: string, problem: ImportProblem, value = ''): Problems[number] => ({
  line,
  column,
  problem,
  value: value.slice(0, valueShownMax),
})

/** A file as spreadsheets write it, read line by line. What is wrong is named with its line and column. */
export function readImport(bytes: Buffer): { lines: ImportLine[]; problems: Problems } {
  const refused = (line: number, what: ImportProblem, column = '', value = '') => ({
    lines: [],
    problems: [problem(line, column, what, value)],
  })
  const text = decode(bytes)
  if (text === undefined) return refused(0, 'encoding')
  const separator = separatorOf(text)
  if (separator === undefined) return refused(1, text.trim() === '' ? 'empty' : 'separator')
  const { rows, unreadable } = split(text, separator)
  if (unreadable) return refused(...unreadable)
  const [head, ...body] = rows
  if (!head || body.length === 0) return refused(0, 'empty')
  const { columns, problems } = readHead(head)
  if (problems.length > 0) return { lines: [], problems }
  return readLines(body, columns)
}

/** UTF-8, or UTF-16 with its mark, as spreadsheets write “Unicode text”. Anything else would be guessed. */
function decode(bytes: Buffer): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  try {
    // The byte order mark is left out by the decoder.
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** The heading has each column, so that what stands between its names separates them. */
function separatorOf(text: string): string | undefined {
  const heading = text.trimStart().split(/[\r\n]/, 1)[0] ?? ''
  return [',', ';', '\t'].find((each) => heading.includes(each))
}

/**
 * RFC 4180 with any separator. Lines are counted as an editor counts them, also within quotes. What is too long or too wide is
 * read no further.
 */
function split(
  text: string,
  separator: string,
): { rows: Cells[]; unreadable?: [line: number, problem: ImportProblem] } {
  const rows: Cells[] = []
  const field = new RegExp(`("(?:[^"]|"")*"|[^"${separator}\\r\\n]*)(${separator}|\\r\\n|\\r|\\n|$)`, 'y')
  let line = 1
  let row: Cells = { line, cells: [] }
  while (field.lastIndex < text.length) {
    const found = field.exec(text)
    if (!found) return { rows, unreadable: [line, 'quote'] }
    const [, given = '', end = ''] = found
    if (row.cells.length === cellsMax) return { rows, unreadable: [line, 'cells'] }
    row.cells.push((given.startsWith('"') ? given.slice(1, -1).replaceAll('""', '"') : given).trim())
    line += given.split(/\r\n|\r|\n/).length - 1
    if (end === separator && field.lastIndex < text.length) continue
    if (row.cells.some((cell) => cell !== '')) rows.push(row)
    // One of them is the heading.
    if (rows.length > importLinesMax + 1) return { rows, unreadable: [0, 'too_many_lines'] }
    line += 1
    row = { line, cells: [] }
  }
  return { rows }
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

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
