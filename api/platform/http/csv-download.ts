import { Readable } from 'node:stream'
import { csvLine, csvStart, type CsvCell } from '#contract/platform/csv.ts'
import type { Download } from './handler.ts'

export type CsvColumns<Row> = readonly (readonly [name: string, value: (row: Row) => CsvCell])[]

/** Columns with the names and values of these fields. */
export const fieldColumns = <Row extends Readonly<Record<Name, string | number | null>>, Name extends string>(
  ...names: readonly Name[]
): CsvColumns<Row> => names.map((name) => [name, (row) => String(row[name] ?? '')])

export const utc = (time: Date | null | undefined): string => time?.toISOString() ?? ''

/** A CSV file named after its content and the day. Rows are read while they are sent: one page at a time. */
export function csvDownload<Row>(name: string, columns: CsvColumns<Row>, rows: AsyncIterable<Row>): Download {
  const today = new Date().toISOString().slice(0, 10)
  const counted: NonNullable<Download['rows']> = {}
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `${name}-${today}.csv`,
    stream: Readable.from(linesOf(columns, rows, counted)),
    rows: counted,
  }
}

async function* linesOf<Row>(
  columns: CsvColumns<Row>,
  rows: AsyncIterable<Row>,
  counted: NonNullable<Download['rows']>,
) {
  let count = 0
  yield csvStart + csvLine(columns.map(([name]) => name))
  try {
    for await (const row of rows) {
      count += 1
      yield csvLine(columns.map(([, value]) => value(row)))
    }
  } finally {
    await counted.onEnd?.(count)
  }
}
