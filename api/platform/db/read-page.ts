import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'

/** The requested page: the maximum number of rows, and the cursor after the previous page. */
export type Page = { limit: number; after?: string | undefined }

/** `next` is the cursor of the following page; the last page has none. */
export type PageOf<Row> = { rows: Row[]; next: string | undefined }

type Cursor = { at: string; id: string }

export type TimesIn<Row> = { [Name in keyof Row]: Row[Name] extends Date ? Name : never }[keyof Row] & string
export type Column<Name extends string> = Name | `${string}.${Name}`

/**
 * The sort columns of a list. `at` has the type timestamptz(3), because the cursor carries milliseconds; the ID
 * breaks ties.
 */
type Order<Row> = { at: Column<TimesIn<Row>>; id: Column<'id'>; direction?: 'asc' | 'desc' }

/** One page of the query's result, newest first unless its direction says otherwise. */
export function readPage<DB, Table extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { limit, after }: Page,
  { at, id, direction = 'desc' }: Order<Row>,
): Promise<PageOf<Row>> {
  const rest = query.where(isBeyond(after, { at, id, direction }))
  const name = at.split('.').at(-1) as keyof Row
  return paginate(rest.orderBy(sql.ref(at), direction).orderBy(sql.ref(id), direction), limit, (row) =>
    writeCursor(row[name] as Date, row.id),
  )
}

/** Whether a row is after the cursor, for a query that is filtered before its page is cut. */
export function isBeyond(
  after: string | undefined,
  { at, id, direction = 'desc' }: { at: string; id: string; direction?: 'asc' | 'desc' },
): RawBuilder<SqlBool> {
  const cursor = readCursor(after)
  if (!cursor) return sql`true`
  const is = direction === 'desc' ? sql`<` : sql`>`
  return sql`(${sql.ref(at)}, ${sql.ref(id)}) ${is} (${cursor.at}::timestamptz, ${cursor.id})`
}

/** One page of a query that starts at its cursor. `cursorOf` returns the cursor after a row. */
export async function paginate<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  limit: number,
  cursorOf: (row: Row) => string,
): Promise<PageOf<Row>> {
  // One extra row shows that another page follows.
  const found = (await query.limit(limitOf(limit + 1)).execute()) as Row[]
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last ? cursorOf(last) : undefined }
}

/**
 * Inlined for the usual lengths: as a parameter, PostgreSQL expects a tenth of all rows and replans each
 * statement for its values, which takes three times as long as running it.
 */
const limitOf = (count: number) => (count % 10 === 1 ? sql.lit(count) : count)

export const writeCursor = (at: Date, id: string): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')

/** A cursor is opaque on the wire; an invalid one starts at the beginning. */
function readCursor(text: string | undefined): Cursor | undefined {
  if (!text) return undefined
  const [at, id] = Buffer.from(text, 'base64url').toString('utf8').split(' ')
  return at && id && isTime(at) && !id.includes('\0') ? { at, id } : undefined
}

/**
 * Accepts exactly what `writeCursor` writes: clients send cursors back, and PostgreSQL refuses times that do
 * not exist.
 */
function isTime(text: string): boolean {
  const time = new Date(/^[12]\d{3}-/.test(text) ? text : Number.NaN)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}
