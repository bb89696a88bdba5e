import { sql, type Expression, type SqlBool } from 'kysely'

/** Where a list goes on: after this row, newest first. */
export type Cursor = { at: string; id: string }

export type PageOf<Row> = { rows: Row[]; next: string | undefined }

/** A cursor is opaque on the wire; one that does not decode starts at the beginning. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (!text) return undefined
  const [at, id] = Buffer.from(text, 'base64url').toString('utf8').split(' ')
  return at && id && isTime(at) && !id.includes('\0') ? { at, id } : undefined
}

/** Exactly what `pageOf` writes: a cursor is given back by a client, and PostgreSQL refuses times that do not exist. */
function isTime(text: string): boolean {
  const time = new Date(/^[12]\d{3}-/.test(text) ? text : Number.NaN)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** The rows older than the cursor. `at` is the list's time column, of type timestamptz(3): the cursor carries milliseconds. */
export const isAfter = (at: string, id: string, cursor: Cursor): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) < (${cursor.at}::timestamptz, ${cursor.id})`

/** Cuts the one row that was asked for in excess and says where the next page begins. */
export function pageOf<Row extends { id: string }>(
  rows: Row[],
  limit: number,
  timeOf: (row: Row) => Date,
): PageOf<Row> {
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  const next =
    rows.length > limit && last
      ? Buffer.from(`${timeOf(last).toISOString()} ${last.id}`).toString('base64url')
      : undefined
  return { rows: kept, next }
}
