import { Readable } from 'node:stream'
import { csvLine, csvStart, type CsvCell } from '#contract/csv.ts'
import type { Download } from './handler.ts'

export type CsvColumns<Row> = readonly (readonly [name: string, value: (row: Row) => CsvCell])[]

export const utc = (time: Date | null | undefined): string => time?.toISOString() ?? ''

/**
 * A file of rows, named after what it holds and the day. A row is read when it is sent: with `eachPage` only one page is
 * in memory at a time. `shownAs` makes once of each row what the columns are taken from.
 */
export function csvDownload<Row>(name: string, columns: CsvColumns<Row>, rows: AsyncIterable<Row>): Download
export function csvDownload<Row, Shown>(
  name: string,
  columns: CsvColumns<Shown>,
  rows: AsyncIterable<Row>,
  shownAs: (row: Row) => Shown,
): Download
export function csvDownload(
  name: string,
  columns: CsvColumns<unknown>,
  rows: AsyncIterable<unknown>,
  shownAs: (row: unknown) => unknown = (row) => row,
): Download {
  const today = new Date().toISOString().slice(0, 10)
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `${name}-${today}.csv`,
    stream: Readable.from(linesOf(columns, rows, shownAs)),
  }
}

async function* linesOf(
  columns: CsvColumns<unknown>,
  rows: AsyncIterable<unknown>,
  shownAs: (row: unknown) => unknown,
) {
  yield csvStart + csvLine(columns.map(([name]) => name))
  for await (const row of rows) {
    const shown = shownAs(row)
    yield csvLine(columns.map(([, value]) => value(shown)))
  }
}
