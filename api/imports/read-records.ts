import { isRecord } from '../is-record.ts'
import { decodeText, plainName, readCells, type Cells } from '../read-cells.ts'
import type { ImportProblem } from './import-problem.ts'

/** A record as it stands in the file, under the names of the columns; what is empty or null is absent. */
export type GivenRecord = { line: number; values: Record<string, unknown> }
export type GivenRecords = { records: GivenRecord[]; problems: ImportProblem[] }

/** The names of columns, each with other names for it. */
export type Columns = Readonly<Record<string, readonly string[]>>
type Names = { columns: Columns; ignored: readonly string[] }

export const linesMax = 1_000_000
/** A name that is no name of a column may be somebody's data, in a file without a heading. */
const safeName = /^[A-Za-z_$][\w$]{0,39}$/

/** Records of JSON, as a list or one on each line, or of a file as spreadsheets write it. */
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
  const records = read.body.map((row) => recordOf(row, known, isLeftOut, problems))
  return { records, problems }
}

function recordOf(
  { line, cells }: Cells,
  known: readonly (string | undefined)[],
  isLeftOut: readonly boolean[],
  problems: ImportProblem[],
): GivenRecord {
  const values: GivenRecord['values'] = {}
  if (cells.slice(known.length).some((cell) => cell !== ''))
    problems.push({ line, column: '', fault: 'cells' })
  for (const [at, name] of known.entries()) {
    const cell = cells[at] ?? ''
    if (name === undefined || isLeftOut[at] || cell === '') continue
    put(values, name, cell, line, problems)
  }
  return { line, values }
}

function readJson(text: string, { columns, ignored }: Names): GivenRecords {
  const { items, problems } = text.trimStart().startsWith('[') ? readList(text) : readLines(text)
  const find = finder(columns)
  const records = items.map(({ line, value }) => {
    const values: GivenRecord['values'] = {}
    if (!isRecord(value)) problems.push({ line, column: '', fault: 'json' })
    else
      for (const [name, given] of Object.entries(value)) {
        const column = find(name)
        const plain = plainValue(given)
        if (isIgnored(name, ignored) || plain === undefined || plain === null || plain === '') continue
        if (column !== undefined) put(values, column, plain, line, problems)
        else problems.push({ line, column: safeName.test(name) ? name : '?', fault: 'column_unknown' })
      }
    return { line, values }
  })
  if (items.length === 0 && problems.length === 0) return refused(0, 'empty')
  return { records, problems }
}

type Items = { items: { line: number; value: unknown }[]; problems: ImportProblem[] }

/** One record on each line; or a single one over several. */
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

/** A list, as the API answers it. Its items have the lines on which they begin. */
function readList(text: string): Items {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    // The message of the error quotes the file.
    const at = Number(/position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? text.length)
    return { items: [], problems: [{ line: lineAt(text, at), column: '', fault: 'json' }] }
  }
  const lines = beginningsOf(text)
  const values = list as unknown[]
  return { items: values.map((value, at) => ({ line: lines[at] ?? 1, value })), problems: [] }
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split(/\r\n|\r|\n/).length

/** On which lines the items of a list begin, which is known to be JSON. */
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

/** `{"$oid": "…"}` and `{"$date": …}`, as MongoDB writes them, and the author of a post by their id. */
function plainValue(value: unknown): unknown {
  if (!isRecord(value)) return value
  const [[name, inner] = [], ...more] = Object.entries(value)
  if (name?.startsWith('$') && more.length === 0) {
    const plain = plainValue(inner)
    return name === '$numberLong' && typeof plain === 'string' ? Number(plain) : plain
  }
  return '_id' in value ? plainValue(value['_id']) : value
}

function put(
  values: GivenRecord['values'],
  name: string,
  value: unknown,
  line: number,
  problems: ImportProblem[],
): void {
  if (values[name] !== undefined && values[name] !== value)
    problems.push({ line, column: name, fault: 'column_twice' })
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
