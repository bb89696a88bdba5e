import { createHash } from 'node:crypto'
import type { ImportPlan, ImportProblem } from '#contract/money/import-payments.ts'
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { decimalPattern } from '#contract/platform/fields.ts'
import { currencyLengthMax, txIdLengthMax } from '#contract/money/orders.ts'
import type { StatementField, StatementMapping } from '#contract/money/statements.ts'
import { transactionKey } from '../payment.rules.ts'
import { isCreditWord, isDebitWord, isReversalWord, isCompleted } from './statement-words.ts'
import { referencesAnywhere, referencesIn } from './match-orders.ts'
import { contentOf, type Statement, type StatementRow } from './read-statement.ts'
import { formatOfAmount } from './number-format.ts'
import { cellsOf, isOwnFormat } from './suggest-mapping.ts'

/** The values of a line, checked as far as possible without the orders. */
export type ImportLine = {
  line: number
  /** Identifies the line in all files. */
  fingerprint: string
  /** Hash of the content alone; the same as the fingerprint if the bank gives no reference of the payment. */
  content: string
  /** Content of the column: an order reference, or text that contains one. */
  reference: string
  /** The order references in the whole content of that column. */
  references: readonly string[]
  /** Possible order references anywhere in the row, for payments that may have been returned. */
  mentioned: readonly string[]
  txId: string
  /** The transaction key; empty if the statement names no transaction. */
  key: string
  amount: string
  currency: string
  date: Date | undefined
  sender: string
  address: string
  isComplete: boolean
}
type Wrong = ImportPlan['problems'][number]
/** A line that someone has to resolve, and the orders that it concerns, if they are known. */
export type BadLine = {
  line: ImportLine
  problem: Wrong
  orderId?: string | null
  otherOrderIds?: readonly string[]
  /** Whether the amount or direction of a doubtful row shows that the money went out. */
  isDebit?: boolean
}
export type ReadLines = {
  lines: ImportLine[]
  /** Unreadable lines with whatever could be read, so that nothing is lost. */
  bad: BadLine[]
  debits: ImportLine[]
  /** Number of debits, including lines whose incoming amount is missing or zero. */
  ignored: number
}

const valueShownMax = 60
const yes = ['yes', 'y', 'true', '1', '是']
const no = ['', 'no', 'n', 'false', '0', '否']
export function readLines({ rows, format, heading }: Statement, mapping: StatementMapping): ReadLines {
  const read: ReadLines = { lines: [], bad: [], debits: [], ignored: 0 }
  const identify = identifier()
  // Other statements may have a column of their own for debits.
  const needsAmount = format === 'camt053' || isOwnFormat(heading)
  const outgoing: Outgoing[] = []
  const isContradicted = contradicts(rows, mapping)
  for (const row of rows) {
    const value = (field: StatementField) => valueOf(row, mapping, field)
    const isDoubtful = isContradicted && formatOfAmount(value('amount')) === 'either'
    const asRead = isDoubtful ? { ...mapping, numbers: 'plain' as const } : mapping
    const line = { ...lineOf(row, value, asRead), ...identify(row) }
    const isReversal = row.problem === 'reversal'
    // If a payer's line break cut off the amount, the row doesn't say that money went out.
    const isCutOff = row.problem === 'cells' && row.cells.length <= (mapping.columns.amount ?? 0)
    const isDebit = !isCutOff && isIgnored(value, mapping, needsAmount)
    if (isReversal || isDebit) outgoing.push({ line, isReversal })
    if (isDebit && !row.problem) {
      read.ignored += 1
      read.debits.push(line)
      continue
    }
    const problem = row.problem
      ? { line: row.line, column: '', problem: row.problem, value: line.amount.slice(0, valueShownMax) }
      : problemOf(line, value, mapping, isDoubtful)
    if (problem) read.bad.push({ line, problem, isDebit: isDebit || reversalFieldOf(value) !== undefined })
    else read.lines.push(line)
  }
  return withoutReturned(read, outgoing)
}

/**
 * Whether other amounts in the file show that it has the other number format than the mapping. An amount such as
 * `1,200`, which fits both, would then be recorded as a thousand times more or less.
 */
function contradicts(rows: readonly StatementRow[], { numbers, columns }: StatementMapping): boolean {
  const other = { point: 'comma', comma: 'point', plain: undefined }[numbers]
  return (
    other !== undefined && cellsOf(rows, columns.amount).some((amount) => formatOfAmount(amount) === other)
  )
}

/**
 * Returns a function that identifies rows. The hashes cover the raw cells, so that a different mapping doesn't change a
 * line's identity. Equal rows of one file get different hashes.
 */
function identifier() {
  const counts = new Map<string, number>()
  const hash = (said: string): string => {
    const count = counts.get(said) ?? 0
    counts.set(said, count + 1)
    return createHash('sha256').update(`${said} ${count}`).digest('hex')
  }
  return (row: StatementRow) => {
    const { bankReference = '' } = row
    const said = JSON.stringify(contentOf(row))
    const content = hash(said)
    return { content, fingerprint: bankReference === '' ? content : hash(`${said} ${bankReference}`) }
  }
}

type Outgoing = { line: ImportLine; isReversal: boolean }

/** Excludes payments that the same statement reverses, so that a person resolves them. */
function withoutReturned(read: ReadLines, outgoing: readonly Outgoing[]): ReadLines {
  const isReturned = (line: ImportLine) => outgoing.some((each) => isReturnOf(each, line))
  const returned = read.lines.filter(isReturned).map((line) => ({
    line,
    problem: { line: line.line, column: 'reference', problem: 'returned' as const, value: line.amount },
  }))
  return {
    ...read,
    lines: read.lines.filter((line) => !isReturned(line)),
    bad: [...read.bad, ...returned],
  }
}

/**
 * Whether the outgoing line reverses the payment. A reversal that names no order may concern any payment of its amount.
 */
function isReturnOf({ line: out, isReversal }: Outgoing, line: ImportLine): boolean {
  const isSameAmount = out.currency === line.currency && withoutSign(out.amount) === withoutSign(line.amount)
  const named = out.mentioned
  if (isReversal && named.length === 0 && out.key === '') return isSameAmount
  const isSameOrder =
    (out.key !== '' && out.key === line.key) || line.references.some((reference) => named.includes(reference))
  // In statements with a separate column for credits, an outgoing payment has no amount in it.
  return isSameOrder && (isReversal || out.amount === '' || isZero(out.amount) || isSameAmount)
}

/** Removes the sign and trailing zeros of the fraction: `-1200.50` and `1200.5` are the same amount. */
export const withoutSign = (amount: string): string => {
  const bare = amount.replaceAll(/[-()\s]/g, '')
  return decimalPattern.test(bare) ? shortDecimal(bare) : bare
}

/** Minus signs, hyphens, and dashes that files have instead of a hyphen-minus. */
const minusSigns = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g

type Value = (field: StatementField) => string

function valueOf({ cells }: StatementRow, { columns }: StatementMapping, field: StatementField): string {
  const index = columns[field]
  // Removes NUL and other control characters.
  const text = index === undefined ? '' : (cells[index] ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
  return field === 'amount' ? text.replaceAll(minusSigns, '-') : text
}

function isIgnored(value: Value, { numbers }: StatementMapping, needsAmount: boolean): boolean {
  const amount = value('amount')
  if (isDebitWord(value('direction'))) return true
  // In a separate column for credits, debits have no amount, or zero.
  if (amount === '' || isZero(amountOf(amount, numbers))) return !needsAmount
  return splitSign(amount).isOutgoing && /\d/.test(amount) && !/[=@]/.test(amount)
}

/** Returns the field in which the bank or exchange says that the payment was returned. */
const reversalFieldOf = (value: Value): StatementField | undefined =>
  (['status', 'direction'] as const).find((field) => isReversalWord(value(field)))

const isZero = (amount: string): boolean => decimalPattern.test(amount) && parseDecimal(amount) === 0n

/** The currency of the line according to the mapping; empty if it names none. */
const mappedCurrency = (value: Value, { columns, currency = '' }: StatementMapping): string =>
  (columns.currency === undefined ? currency : value('currency')).toUpperCase().slice(0, currencyLengthMax)

/** A currency next to the amount that isn't the one that the mapping gives for the line. */
const otherCurrency = (value: Value, mapping: StatementMapping): string | undefined =>
  findOtherCurrency(splitSign(value('amount')).size, mappedCurrency(value, mapping))

type ReadValues = Omit<ImportLine, 'fingerprint' | 'content'>

const lineOf = (
  { line, cells, texts = [] }: StatementRow,
  value: Value,
  mapping: StatementMapping,
): ReadValues => ({
  line,
  reference: value('reference').slice(0, 500),
  references: referencesIn(value('reference')),
  mentioned: [...new Set([...referencesIn(value('reference')), ...referencesAnywhere([...cells, ...texts])])],
  // Some files say `n/a` or `-` if a payment has no transaction.
  txId: transactionKey(value('txId')) === '' ? '' : value('txId').slice(0, txIdLengthMax),
  key: transactionKey(value('txId')),
  amount: amountOf(value('amount'), mapping.numbers).slice(0, 60),
  // If they disagree, the cell with the amount says what was paid.
  currency: otherCurrency(value, mapping) ?? mappedCurrency(value, mapping),
  date: readTime(value('date'), mapping.dates),
  sender: value('sender').slice(0, 200),
  address: value('address').slice(0, 128),
  isComplete: yes.includes(value('complete').toLowerCase()),
})

/** Returns the amount as a decimal, with a minus sign for outgoing payments, or as written if it can't be read. */
function amountOf(written: string, format: StatementMapping['numbers']): string {
  const { size, isOutgoing } = splitSign(written)
  const number = readNumber(size, format)
  if (number === undefined) return written
  return isOutgoing ? `-${number}` : number
}

function problemOf(
  line: ImportLine,
  value: Value,
  mapping: StatementMapping,
  isDoubtful: boolean,
): Wrong | undefined {
  const { columns } = mapping
  const wrong = (column: StatementField, problem: ImportProblem, shown = ''): Wrong => ({
    line: line.line,
    column,
    problem,
    value: shown.slice(0, valueShownMax),
  })
  const reversal = reversalFieldOf(value)
  if (reversal) return wrong(reversal, 'returned', value(reversal))
  if (line.reference === '' && line.key === '' && line.address === '') return wrong('reference', 'required')
  if (line.amount === '') return wrong('amount', 'required')
  if (isDoubtful || !decimalPattern.test(line.amount) || isZero(line.amount))
    return wrong('amount', 'number', line.amount)
  const other = otherCurrency(value, mapping)
  if (other !== undefined) return wrong('amount', 'amount_currency', other)
  if (columns.currency !== undefined && line.currency === '') return wrong('currency', 'required')
  const status = value('status')
  if (columns.status !== undefined && !isCompleted(status)) return wrong('status', 'status', status)
  const unread = unreadField(line, value, columns)
  return unread && wrong(...unread, value(unread[0]))
}

/** Returns the first field with an unknown word or an invalid value. */
function unreadField(
  line: ImportLine,
  value: Value,
  columns: StatementMapping['columns'],
): [StatementField, ImportProblem] | undefined {
  if (columns.direction !== undefined && !isCreditWord(value('direction'))) return ['direction', 'direction']
  if (value('date') !== '' && !line.date) return ['date', 'date']
  if (value('txId').length > txIdLengthMax) return ['txId', 'tx_id']
  return [...yes, ...no].includes(value('complete').toLowerCase()) ? undefined : ['complete', 'yes_no']
}

const numberWithPoint = /^([1-9]\d{0,2}(?:([,\s'’])\d{3}(?:\2\d{3})*)?|\d+)(?:\.(\d+))?$/u
const numberWithComma = /^([1-9]\d{0,2}(?:([.\s'’])\d{3}(?:\2\d{3})*)?|\d+)(?:,(\d+))?$/u

/**
 * Returns a decimal with a point, or undefined. Thousands separators are accepted only between groups of three digits,
 * and not after a leading zero.
 */
export function readNumber(text: string, format: StatementMapping['numbers']): string | undefined {
  if (format === 'plain') return decimalPattern.test(text) ? text : undefined
  const bare = withoutCurrency(text.trim().replace(/^\+\s*/, '')).trim()
  const [, whole, , fraction] = (format === 'point' ? numberWithPoint : numberWithComma).exec(bare) ?? []
  if (whole === undefined) return undefined
  const number = whole.replaceAll(/\D/g, '') + (fraction === undefined ? '' : `.${fraction}`)
  return decimalPattern.test(number) ? number : undefined
}

/** Converts dates such as `2036年5月31日` and `20360531` to `2036-5-31`. */
const withHyphens = (text: string): string =>
  text
    .replace(/^(\d{4})年(\d{1,2})月(\d{1,2})日/, '$1-$2-$3')
    .replace(/^(\d{4})(\d\d)(\d\d)(?=$|[T ])/, '$1-$2-$3')

const datePattern =
  /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[T ,]+(\d\d?):(\d\d)(?::(\d\d))?(?:\.\d{1,6})?(?:Z| ?UTC)?)?$/

/** Offset of the earliest time zone. Banks there date a payment tomorrow. */
const timeZoneMax = 14 * HOUR

/** Returns the date, or a moment in UTC. Rejects dates in the future, wherever the bank is. */
export function readTime(given: string, format: StatementMapping['dates']): Date | undefined {
  const found = datePattern.exec(format === 'iso' ? withHyphens(given) : given)
  if (!found) return undefined
  const [, a = '', b = '', c = '', hours = '0', minutes = '0', seconds = '0'] = found
  const day = readDay([a, b, c], format)
  if (day === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return undefined
  const at = new Date(day + Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND)
  return at.getTime() <= Date.now() + timeZoneMax ? at : undefined
}

/** Returns midnight UTC of a day that exists, since 2000. */
function readDay(
  [a, b, c]: readonly [string, string, string],
  format: StatementMapping['dates'],
): number | undefined {
  const [year, month, day] = format === 'iso' ? [a, b, c] : format === 'dmy' ? [c, b, a] : [c, a, b]
  const isYear = year.length === 4 || (year.length === 2 && format !== 'iso')
  if (!isYear || day.length > 2 || month.length > 2) return undefined
  const fullYear = Number(year.length === 2 ? `20${year}` : year)
  const at = new Date(Date.UTC(fullYear, Number(month) - 1, Number(day)))
  const isReal =
    at.getUTCFullYear() === fullYear &&
    at.getUTCMonth() === Number(month) - 1 &&
    at.getUTCDate() === Number(day)
  return isReal && fullYear > 1999 ? at.getTime() : undefined
}

/** Currencies that banks abbreviate with a symbol. */
const symbols: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'AUD', 'CAD', 'HKD', 'MXN', 'NZD', 'SGD', 'TWD'],
  '€': ['EUR'],
  '£': ['GBP'],
  '¥': ['CNY', 'JPY', 'RMB'],
  '￥': ['CNY', 'JPY', 'RMB'],
  '₩': ['KRW'],
  '₹': ['INR'],
}

const written = /^(?:\p{Sc}|[A-Z]{3})|(?:\p{Sc}|[A-Z]{3})$/gu

/** Removes a currency symbol or a code of three letters before or after a number. */
const withoutCurrency = (amount: string): string => amount.replaceAll(written, '')

/** Returns a currency symbol or code written next to the amount that doesn't stand for `currency`. */
const findOtherCurrency = (amount: string, currency: string): string | undefined =>
  amount
    .replaceAll(/[\s+]/g, '')
    .match(written)
    ?.find((each) => each !== currency && !symbols[each]?.includes(currency))

const wordAfter = /(?<=[\d\s)-])(\p{L}{1,12})\.?$/u
/* A currency may stand between the sign and the end of the text. */
const signBefore = /^((?:\p{Sc}|[A-Z]{3})?\s*)[-(]/u
const signAfter = /[-)](\s*(?:\p{Sc}|[A-Z]{3})?)$/u

/** Separates an amount from the sign, parentheses, or word that marks it as outgoing. */
function splitSign(written: string): { size: string; isOutgoing: boolean } {
  const [all = '', word = ''] = wordAfter.exec(written) ?? []
  const amount = isDebitWord(word) ? written.slice(0, -all.length).trim() : written
  const size = amount.replace(signBefore, '$1').replace(signAfter, '$1').trim()
  return { size, isOutgoing: size !== written }
}
