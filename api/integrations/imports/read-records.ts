import { isRecord } from '../../platform/is-record.ts'
import { decodeText, plainName, readCells, type Cells } from '../../platform/text/read-cells.ts'
import { problemAt, type ImportProblem, type Place } from './import-problem.ts'

/** A record of the file, under our column names; empty and null values are absent. */
export type GivenRecord = Place & { values: Record<string, unknown> }
export type GivenRecords = { records: GivenRecord[]; problems: ImportProblem[] }

/** Column names, each with alternative names. */
export type Columns = Readonly<Record<string, readonly string[]>>
type Names = { columns: Columns; ignored: readonly string[] }

const linesMax = 1_000_000
/** An unknown name in a file without a heading may be personal data, so only names like these are shown. */
const safeName = /^[A-Za-z_$][\w$]{0,39}$/
/** A known column's name as written in the file, without characters that a terminal would interpret. */
const writtenName = /^[A-Za-z_$][\w$ .-]{0,39}$/

/** Reads records from JSON, as a list or one per line, or from a spreadsheet file. */
export function readRecords(bytes: Buffer, names: Names): GivenRecords {
  const text = decodeText(bytes)?.trimStart()
  if (text === undefined) return refused(0, 'encoding')
  if (text === '') return refused(0, 'empty')
  return /^[[{]/.test(text) ? readJson(decodeText(bytes)!, names) : readSheet(bytes, names)
}

const refused = (line: number, fault: ImportProblem['fault']): GivenRecords => ({
  records: [],
  problems: [{ line, column: '', fault }],
})

function readSheet(bytes: Buffer, { columns, ignored }: Names): GivenRecords {
  const read = readCells(bytes, linesMax)
  if ('refused' in read) return refused(read.refused.line, read.refused.problem)
  const find = finder(columns)
  const heading = read.head.cells
  const known = heading.map(find)
  if (known.every((name) => name === undefined)) return refused(read.head.line, 'heading')
  const isLeftOut = heading.map((name) => name === '' || isIgnored(name, ignored))
  const problems: ImportProblem[] = heading.flatMap((name, at) =>
    known[at] === undefined && !isLeftOut[at]
      ? [
          {
            line: read.head.line,
            column: String(safeName.test(name) ? name : at + 1),
            fault: 'column_unknown',
          },
        ]
      : [],
  )
  const names = Object.fromEntries(
    known.flatMap((name, at) =>
      name === undefined || !writtenName.test(heading[at]!) ? [] : [[name, heading[at]!]],
    ),
  )
  const records = read.body.map((row) => recordOf(row, { known, names, isLeftOut }, problems))
  return { records, problems }
}

type Heading = {
  known: readonly (string | undefined)[]
  names: Record<string, string>
  isLeftOut: readonly boolean[]
}

function recordOf(
  { line, cells }: Cells,
  { known, names, isLeftOut }: Heading,
  problems: ImportProblem[],
): GivenRecord {
  const record = { line, names, values: {} }
  if (cells.slice(known.length).some((cell) => cell !== ''))
    problems.push({ line, column: '', fault: 'cells' })
  for (const [at, name] of known.entries()) {
    const cell = cells[at] ?? ''
    if (name === undefined || isLeftOut[at] || cell === '') continue
    put(record, name, cell, problems)
  }
  return record
}

function readJson(text: string, { columns, ignored }: Names): GivenRecords {
  const { items, problems } = text.trimStart().startsWith('[') ? readList(text) : readLines(text)
  const find = finder(columns)
  const records = items.map(({ value, ...place }) => {
    const names: Record<string, string> = {}
    const record: GivenRecord = { ...place, names, values: {} }
    if (!isRecord(value)) problems.push(problemAt(place, '', 'json'))
    else
      for (const [name, given] of Object.entries(value)) {
        const column = find(name)
        const plain = plainValue(given)
        if (isIgnored(name, ignored) || plain === undefined || plain === null || plain === '') continue
        if (column === undefined)
          problems.push(problemAt(place, safeName.test(name) ? name : '?', 'column_unknown'))
        else {
          if (writtenName.test(name)) names[column] ??= name
          put(record, column, plain, problems)
        }
      }
    return record
  })
  if (items.length === 0 && problems.length === 0) return refused(0, 'empty')
  return { records, problems }
}

type Items = { items: { line: number; item?: number; value: unknown }[]; problems: ImportProblem[] }

/** Reads one record per line, or a single one over several lines. */
function readLines(text: string): Items {
  const items: Items['items'] = []
  const problems: ImportProblem[] = []
  for (const [at, written] of text.split(/\r\n|\r|\n/).entries()) {
    if (written.trim() === '') continue
    const value = parse(written)
    if (value === undefined) problems.push({ line: at + 1, column: '', fault: 'json' })
    else items.push({ line: at + 1, value })
  }
  const whole = items.length === 0 ? parse(text) : undefined
  return whole === undefined ? { items, problems } : { items: [{ line: 1, value: whole }], problems: [] }
}

/** Reads a list in the format of the API. Items are numbered by the line on which they start. */
function readList(text: string): Items {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    // Not the error message, because it quotes the file.
    const at = Number(/position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? text.length)
    return { items: [], problems: [{ line: lineAt(text, at), column: '', fault: 'json' }] }
  }
  const lines = beginningsOf(text)
  const values = list as unknown[]
  // If several items share a line, as in an API response, the line number alone is not enough.
  const isCounted = new Set(lines).size < values.length
  const items = values.map((value, at) => ({
    line: lines[at] ?? 1,
    ...(isCounted && { item: at + 1 }),
    value,
  }))
  return { items, problems: [] }
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split(/\r\n|\r|\n/).length

/** Returns the lines on which the items of a list start. The text is valid JSON. */
function beginningsOf(text: string): number[] {
  const lines: number[] = []
  let [line, depth, isWaiting] = [1, 0, false]
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|\r\n|[\r\n[\]{},]|[^\s[\]{},"]+/g)) {
    if (/^[\r\n]/.test(part)) {
      line += 1
      continue
    }
    if (isWaiting && part !== ']') lines.push(line)
    isWaiting = false
    if (part === '[' || part === '{') depth += 1
    else if (part === ']' || part === '}') depth -= 1
    isWaiting = (part === '[' || part === ',') && depth === 1
  }
  return lines
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Converts `{"$oid": "…"}` and `{"$date": …}` of MongoDB, and replaces the author of a post with their ID. */
function plainValue(value: unknown): unknown {
  if (!isRecord(value)) return value
  const [[name, inner] = [], ...more] = Object.entries(value)
  if (name?.startsWith('$') && more.length === 0) {
    const plain = plainValue(inner)
    return name === '$numberLong' && typeof plain === 'string' ? Number(plain) : plain
  }
  return '_id' in value ? plainValue(value['_id']) : value
}

function put(record: GivenRecord, name: string, value: unknown, problems: ImportProblem[]): void {
  const { values } = record
  if (values[name] !== undefined && values[name] !== value)
    problems.push(problemAt(record, name, 'column_twice'))
  values[name] ??= value
}

const isIgnored = (name: string, ignored: readonly string[]): boolean =>
  ignored.some((each) => plainName(each) === plainName(name))

function finder(columns: Columns): (name: string) => string | undefined {
  const names = new Map(
    Object.entries(columns).flatMap(([column, others]) =>
      [column, ...others].map((name) => [plainName(name), column]),
    ),
  )
  return (name) => names.get(plainName(name))
}
