import { Readable } from 'node:stream'
import { csvLine, csvStart, type CsvCell } from '#contract/csv.ts'
import type { Download } from './handler.ts'

export type CsvColumns<Row> = readonly (readonly [name: string, value: (row: Row) => CsvCell])[]

export const utc = (time: Date | null | undefined): string => time?.toISOString() ?? ''

/** A CSV file named after its content and the day. Rows are read while they are sent: one page at a time. */
export function csvDownload<Row>(name: string, columns: CsvColumns<Row>, rows: AsyncIterable<Row>): Download {
  const today = new Date().toISOString().slice(0, 10)
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `${name}-${today}.csv`,
    stream: Readable.from(linesOf(columns, rows)),
  }
}

async function* linesOf<Row>(columns: CsvColumns<Row>, rows: AsyncIterable<Row>) {
  yield csvStart + csvLine(columns.map(([name]) => name))
  for await (const row of rows) yield csvLine(columns.map(([, value]) => value(row)))
}
