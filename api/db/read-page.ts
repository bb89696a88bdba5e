import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'

/** Which page is asked for: so many rows at most, after the last row of the page before. */
export type Page = { limit: number; after?: string | undefined }

/** `next` is what the page that follows is asked for with; none follows the last one. */
export type PageOf<Row> = { rows: Row[]; next: string | undefined }

type Cursor = { at: string; id: string }

type TimesIn<Row> = { [Name in keyof Row]: Row[Name] extends Date ? Name : never }[keyof Row] & string
type Column<Name extends string> = Name | `${string}.${Name}`

/** What a list is ordered by. `at` is of type timestamptz(3), since the cursor carries milliseconds; the id decides between equal times. */
type Order<Row> = { at: Column<TimesIn<Row>>; id: Column<'id'>; direction?: 'asc' | 'desc' }

/** One page of what the query finds, newest first unless its direction says otherwise. */
export function readPage<DB, Table extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { limit, after }: Page,
  { at, id, direction = 'desc' }: Order<Row>,
): Promise<PageOf<Row>> {
  const rest = query.where(isBeyond(after, { at, id, direction }))
  const name = at.split('.').at(-1) as keyof Row
  return takePage(rest.orderBy(sql.ref(at), direction).orderBy(sql.ref(id), direction), limit, (row) =>
    writeCursor(row[name] as Date, row.id),
  )
}

/** Whether a row stands after the cursor, for a query that is narrowed before its page is cut. */
export function isBeyond(
  after: string | undefined,
  { at, id, direction = 'desc' }: { at: string; id: string; direction?: 'asc' | 'desc' },
): RawBuilder<SqlBool> {
  const cursor = readCursor(after)
  if (!cursor) return sql`true`
  const is = direction === 'desc' ? sql`<` : sql`>`
  return sql`(${sql.ref(at)}, ${sql.ref(id)}) ${is} (${cursor.at}::timestamptz, ${cursor.id})`
}

/** One page of a query that begins where it is to go on. `cursorOf` says where the page after a row begins. */
export async function takePage<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  limit: number,
  cursorOf: (row: Row) => string,
): Promise<PageOf<Row>> {
  // One row in excess shows that another page follows.
  const found = (await query.limit(limitOf(limit + 1)).execute()) as Row[]
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last ? cursorOf(last) : undefined }
}

/**
 * Written out for the usual lengths: where it is a parameter, PostgreSQL expects a tenth of all rows of whoever asks, and so plans each
 * statement anew for its values, which takes three times as long as running it.
 */
const limitOf = (count: number) => (count % 10 === 1 ? sql.lit(count) : count)

export const writeCursor = (at: Date, id: string): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')

/** A cursor is opaque on the wire; one that does not decode starts at the beginning. */
function readCursor(text: string | undefined): Cursor | undefined {
  if (!text) return undefined
  const [at, id] = Buffer.from(text, 'base64url').toString('utf8').split(' ')
  return at && id && isTime(at) && !id.includes('\0') ? { at, id } : undefined
}

/** Exactly what `writeCursor` writes: a cursor is given back by a client, and PostgreSQL refuses times that do not exist. */
function isTime(text: string): boolean {
  const time = new Date(/^[12]\d{3}-/.test(text) ? text : Number.NaN)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}
