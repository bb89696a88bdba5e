import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import type { ImportProblem } from '#contract/money/import-payments.ts'
import type { StatementEncoding, StatementMapping } from '#contract/money/statements.ts'
import { decodeText, plainName } from '../../../platform/text/read-cells.ts'
import { camtColumns, isXml, readCamt053 } from './camt053.ts'
import { isOwnFormat } from './suggest-mapping.ts'

/**
 * `bankReference`: how the bank identifies the payment. `texts`: everything that the statement says about it, if that
 * is more than the cells. `otherStatus`: its status, if that is neither a cell nor *booked*. `problem`: why the row can't
 * be recorded, regardless of its cells.
 */
export type StatementRow = {
  line: number
  cells: string[]
  bankReference?: string
  texts?: string[]
  otherStatus?: string
  problem?: RowProblem
}
export type RowProblem = Extract<
  ImportProblem,
  'cells' | 'quotes' | 'several_payments' | 'reversal' | 'returned' | 'status'
>
export type Statement = {
  format: 'csv' | 'camt053'
  encoding: StatementEncoding
  heading: string[]
  rows: StatementRow[]
  /** Number of entries that the bank hasn't booked yet, and that are no rows. */
  pending: number
  /** Identifies statements with the same columns, whose mapping is remembered. */
  layout: string
  /** Identifies files with the same rows, whatever is above their heading. */
  file: string
}
export type StatementRefusal = { refused: 'encoding' | 'empty' | 'separator' | 'too_many_lines' | 'xml' }

/** Maximum lines above the heading, where banks write the account and the period. */
const preambleMax = 30
const cellsMax = 100

/** Reads a statement from a bank or exchange, detecting delimiter, encoding, and heading. */
export function readStatement(bytes: Buffer, linesMax: number): Statement | StatementRefusal {
  // A workbook is a ZIP archive.
  const decoded = bytes.subarray(0, 2).toString('latin1') === 'PK' ? undefined : decodeStatement(bytes)
  if (decoded === undefined) return { refused: 'encoding' }
  const { text, encoding } = decoded
  if (text.trim() === '') return { refused: 'empty' }
  if (isXml(text)) return readXml(text, encoding, linesMax)
  const found = split(text, linesMax)
  if (!found) return { refused: 'separator' }
  const { records, delimiter } = found
  const at = findHeading(records)
  const heading = records[at]?.cells ?? []
  const rows = markQuoted(markShifted(records.slice(at + 1), heading), delimiter, records[at]?.hasQuotes)
  if (rows.length > linesMax) return { refused: 'too_many_lines' }
  if (rows.length === 0) return { refused: 'empty' }
  return {
    format: 'csv',
    encoding,
    heading,
    rows,
    pending: 0,
    layout: hashOf(heading.map(plainName)),
    file: fileOf(rows),
  }
}

function readXml(text: string, encoding: StatementEncoding, linesMax: number): Statement | StatementRefusal {
  const read = readCamt053(text)
  if (!read) return { refused: 'xml' }
  const { pending } = read
  if (read.rows.length + pending === 0) return { refused: 'empty' }
  if (read.rows.length > linesMax) return { refused: 'too_many_lines' }
  const rows = read.rows.map((row, index) => ({ line: index + 1, ...row }))
  return {
    format: 'camt053',
    encoding,
    heading: [...camtColumns],
    rows,
    pending,
    layout: hashOf(['camt053']),
    file: fileOf(rows),
  }
}

export const camtMapping: StatementMapping = {
  columns: Object.fromEntries(camtColumns.map((name, index) => [name, index])),
  numbers: 'plain',
  dates: 'iso',
}

/** Returns what identifies the content of a row. A payment isn't the same entry before and after it was booked. */
export const contentOf = ({ cells, otherStatus }: StatementRow): string =>
  [...cells, ...(otherStatus === undefined ? [] : [`Status: ${otherStatus}`])].join('\n').trimEnd()

const fileOf = (rows: readonly StatementRow[]): string =>
  hashOf(rows.map((row) => `${contentOf(row)}\n${row.bankReference ?? ''}`))

const hashOf = (names: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(names)).digest('hex')

/**
 * Marks rows whose cells may be in the wrong columns. If a bank doesn't escape what a payer typed, a delimiter or quote in
 * it shifts the following cells, and a line break splits the row. A delimiter at the end of every row does not count as a
 * cell.
 */
function markShifted(rows: readonly StatementRow[], heading: readonly string[]): StatementRow[] {
  const extra = Math.min(...rows.map(({ cells }) => Math.max(0, cells.length - heading.length)))
  const width = heading.length + (heading.at(-1) === '' ? 0 : extra)
  const isShifted = ({ cells }: StatementRow) =>
    cells.length > width || cells.slice(heading.length).some((cell) => cell !== '')
  // Finance writes files in our own format by hand, and may leave out the last cells.
  const [from, to] = isOwnFormat(heading) ? nowhere : findSplit(rows, heading)
  return rows.map((row, index) =>
    isShifted(row) || (index >= from && index <= to) ? { ...row, problem: 'cells' } : row,
  )
}

const nowhere = [0, -1] as const

/**
 * Returns the range of rows that a line break may have split: its ends have fewer cells than the heading, and the payer
 * may have written every row between them. Short rows at the end of a statement are the bank's, for example its balance.
 */
function findSplit(rows: readonly StatementRow[], heading: readonly string[]): readonly [number, number] {
  const named = heading.findLastIndex((name) => name !== '') + 1
  const width = Math.min(named, Math.max(0, ...rows.map(({ cells }) => cells.length)))
  const isShort = ({ cells }: StatementRow) => cells.length < width
  const from = rows.findIndex(isShort)
  if (from === -1 || rows.slice(from).every(isShort)) return nowhere
  return [from, rows.findLastIndex(isShort)]
}

const isAmount = (cell: string): boolean => /^[-+]?[\d.,]+$/.test(cell)

/**
 * Marks rows in which a quote may hide where a cell ends. If a bank copies the payers' text unchanged, two quotes in it
 * join the cells or rows between them. A cell with a delimiter is therefore accepted only if the bank itself quotes:
 * the heading, or amounts with a thousands separator in a column that contains nothing else.
 */
function markQuoted(
  rows: readonly StatementRow[],
  delimiter: string,
  isHeadingQuoted = false,
): StatementRow[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const isOfAmounts = Array.from({ length: width }, (_, index) =>
    rows.every(({ cells: { [index]: cell = '' } }) => cell === '' || isAmount(cell)),
  )
  // With two delimiters, the text between them could be one of the bank's own cells.
  const isSeparated = (cell: string, index: number) =>
    isOfAmounts[index] === true && cell.split(delimiter).length === 2
  const isQuoting = isHeadingQuoted || rows.some(({ cells }) => cells.some(isSeparated))
  const isDoubtful = (cell: string, index: number) =>
    /[\r\n]/.test(cell) ||
    (cell.includes(delimiter) && (cell.includes('"') || !(isQuoting || isSeparated(cell, index))))
  return rows.map((row) => (!row.problem && row.cells.some(isDoubtful) ? { ...row, problem: 'quotes' } : row))
}

const delimiters = [',', ';', '\t', '|']

type Parsed = StatementRow & { hasQuotes: boolean }

function split(text: string, linesMax: number): { records: Parsed[]; delimiter: string } | undefined {
  const beginning = text.slice(0, 20_000)
  const [best] = delimiters
    .map((delimiter) => ({ delimiter, ...scoresOf(parseWith(beginning, delimiter, 200)) }))
    .toSorted((a, b) => b.score - a.score || b.uncapped - a.uncapped)
  if (!best || best.score === 0) return undefined
  const { delimiter } = best
  return { records: parseWith(text, delimiter, linesMax + preambleMax + 1), delimiter }
}

/**
 * Scores how well a delimiter fits: the number of cells in rows of the prevailing width. Rows count with at most as many
 * cells as the widest row of names has. Otherwise, a payer could determine the delimiter by typing another one often.
 */
function scoresOf(rows: readonly StatementRow[]): { score: number; uncapped: number } {
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const widest = Math.max(
    1,
    ...rows.filter(({ cells }) => !cells.some(isData)).map(({ cells }) => cells.length),
  )
  const bestUpTo = (max: number) =>
    Math.max(0, ...[...counts].map(([width, count]) => (width > 1 ? Math.min(width, max) * count : 0)))
  return { score: bestUpTo(widest), uncapped: bestUpTo(Infinity) }
}

/** Whether a cell contains a date, a time, or an amount. Headings may contain numbers, such as `Purpose 2`. */
const isData = (cell: string): boolean => /\d[-.,:/]\d|\d{4}/.test(cell)

/** Treats an unclosed quote as an ordinary character, so that one bad line does not swallow the rest. */
function parseWith(text: string, delimiter: string, linesMax: number): Parsed[] {
  const options = {
    delimiter,
    info: true,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    to: linesMax,
  }
  type Read = { info: { lines: number }; raw: string; record: string[] }
  let read: Read[]
  try {
    read = parse(text, options) as unknown as Read[]
  } catch {
    read = parse(text, { ...options, quote: false }) as unknown as Read[]
  }
  return read
    .map(({ info, raw, record }) => ({
      line: info.lines,
      cells: record.slice(0, cellsMax + 1),
      hasQuotes: raw.includes('"'),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

const isFigure = (cell: string): boolean => /\d/.test(cell) && !/\p{L}{2}/u.test(cell)

/**
 * Returns the index of the first row of names that is about as wide as the widest one. Rows with figures don't count,
 * because payers may type delimiters.
 */
function findHeading(rows: readonly StatementRow[]): number {
  const sizes = rows
    .slice(0, preambleMax)
    .map(({ cells }) => (cells.some(isFigure) ? 0 : cells.filter((cell) => cell !== '').length))
  const enough = Math.max(2, Math.max(...sizes) * 0.6)
  return Math.max(
    0,
    sizes.findIndex((size) => size >= enough),
  )
}

type Decoded = { text: string; encoding: StatementEncoding }

/**
 * Reads the text of a statement as UTF-8, as UTF-16 with a byte order mark, as GB18030 if it reads as Chinese, or as
 * Windows-1252. Undefined if it is not text.
 */
export function decodeStatement(bytes: Buffer): Decoded | undefined {
  const text = decodeText(bytes)
  if (text !== undefined) return { text, encoding: isUtf16(bytes) ? 'utf-16' : 'utf-8' }
  // Text contains no control characters except tabs, line ends, and the end mark of DOS programs.
  if (bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0d, 0x1a].includes(byte))) return undefined
  const chinese = decodeChinese(bytes)
  if (chinese !== undefined) return { text: chinese, encoding: 'gb18030' }
  return bytes.some((byte) => unassigned.has(byte))
    ? undefined
    : { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
}

/** Bytes that are unassigned in Windows-1252. */
const unassigned = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/**
 * GB18030 accepts most Western text too ("Müller" contains the bytes of a rare character), so most of the characters
 * must be in the part of the code that everyday Chinese uses.
 */
function decodeChinese(bytes: Buffer): string | undefined {
  let text: string
  try {
    text = new TextDecoder('gb18030', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
  const { common, other } = countCharacters(bytes)
  return common > other * 2 ? text : undefined
}

/** Counts punctuation and the 3,755 most frequent characters (GB 2312, level 1) on one side, all others on the other. */
function countCharacters(bytes: Buffer): { common: number; other: number } {
  const count = { common: 0, other: 0 }
  for (let at = 0; at < bytes.length; at += 1) {
    const [lead = 0, trail = 0] = [bytes[at], bytes[at + 1]]
    if (lead < 0x81) continue
    const isCommon = trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3))
    count[isCommon ? 'common' : 'other'] += 1
    // Four-byte characters have a digit as their second byte.
    at += trail >= 0x30 && trail <= 0x39 ? 3 : 1
  }
  return count
}
