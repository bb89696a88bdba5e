import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import type { StatementMapping } from '#contract/statements.ts'
import { decodeText, plainName } from '../../read-cells.ts'
import { camtColumns, isXml, readCamt053 } from './camt053.ts'

export type StatementRow = { line: number; cells: string[] }
export type Statement = {
  format: 'csv' | 'camt053'
  heading: string[]
  rows: StatementRow[]
  /** Names statements with the same columns, whose mapping is remembered. */
  layout: string
}
export type StatementRefusal = { refused: 'encoding' | 'empty' | 'separator' | 'too_many_lines' | 'xml' }

/** Above the heading, banks write the account and the period. */
const preambleMax = 30
const cellsMax = 100

/** Reads a statement as banks and exchanges write it: delimiter, encoding, and heading are detected. */
export function readStatement(bytes: Buffer, linesMax: number): Statement | StatementRefusal {
  // A workbook is a ZIP archive.
  const text = bytes.subarray(0, 2).toString('latin1') === 'PK' ? undefined : decode(bytes)
  if (text === undefined) return { refused: 'encoding' }
  if (text.trim() === '') return { refused: 'empty' }
  if (isXml(text)) return readXml(text, linesMax)
  const records = split(text, linesMax)
  if (!records) return { refused: 'separator' }
  const at = findHeading(records)
  const heading = records[at]?.cells ?? []
  const rows = records.slice(at + 1)
  if (rows.length > linesMax) return { refused: 'too_many_lines' }
  if (rows.length === 0) return { refused: 'empty' }
  return { format: 'csv', heading, rows, layout: hashOf(heading.map(plainName)) }
}

function readXml(text: string, linesMax: number): Statement | StatementRefusal {
  const cells = readCamt053(text)
  if (!cells) return { refused: 'xml' }
  if (cells.length === 0) return { refused: 'empty' }
  if (cells.length > linesMax) return { refused: 'too_many_lines' }
  const rows = cells.map((each, index) => ({ line: index + 1, cells: each }))
  return { format: 'camt053', heading: [...camtColumns], rows, layout: hashOf(['camt053']) }
}

export const camtMapping: StatementMapping = {
  columns: Object.fromEntries(camtColumns.map((name, index) => [name, index])),
  numbers: 'plain',
  dates: 'iso',
}

const hashOf = (names: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(names)).digest('hex')

/** UTF-8 or UTF-16, else the encoding that older programs of banks write. */
function decode(bytes: Buffer): string | undefined {
  const text = decodeText(bytes)
  if (text !== undefined) return text
  return bytes.includes(0) ? undefined : new TextDecoder('windows-1252').decode(bytes)
}

const delimiters = [',', ';', '\t', '|']

function split(text: string, linesMax: number): StatementRow[] | undefined {
  const beginning = text.slice(0, 20_000)
  const [best] = delimiters
    .map((delimiter) => ({ delimiter, score: scoreOf(parseWith(beginning, delimiter, 200)) }))
    .toSorted((a, b) => b.score - a.score)
  if (!best || best.score === 0) return undefined
  return parseWith(text, best.delimiter, linesMax + preambleMax + 1)
}

/** How many cells the lines have that have the most in common. */
function scoreOf(rows: readonly StatementRow[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  return Math.max(0, ...[...counts].map(([width, count]) => (width > 1 ? width * count : 0)))
}

/** A quote that is never closed is a character like any other: one bad line must not swallow the rest. */
function parseWith(text: string, delimiter: string, linesMax: number): StatementRow[] {
  const options = {
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    to: linesMax,
  }
  type Read = { info: { lines: number }; record: string[] }
  let read: Read[]
  try {
    read = parse(text, options) as unknown as Read[]
  } catch {
    read = parse(text, { ...options, quote: false }) as unknown as Read[]
  }
  return read
    .map(({ info, record }) => ({ line: info.lines, cells: record.slice(0, cellsMax) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

const isFigure = (cell: string): boolean => /\d/.test(cell) && !/\p{L}{2}/u.test(cell)

/** The first line that is as wide as the statement and holds names only. */
function findHeading(rows: readonly StatementRow[]): number {
  const filled = (row: StatementRow) => row.cells.filter((cell) => cell !== '').length
  const widest = Math.max(...rows.slice(0, preambleMax).map(filled))
  const found = rows
    .slice(0, preambleMax)
    .findIndex((row) => filled(row) >= Math.max(2, widest * 0.6) && !row.cells.some(isFigure))
  return Math.max(0, found)
}
