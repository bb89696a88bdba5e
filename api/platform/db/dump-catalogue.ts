import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg'

export type Table = { name: string; columns: string[] }

type ForeignKey = { name: string; from: string; to: string; isDeferrable: boolean }

export type SequenceState = { name: string; value: string; isCalled: boolean }

/**
 * Identifies the content of a table regardless of row order. `checksum` is the sum of row hashes; null if the rows were
 * replaced on the way.
 */
export type Content = { rows: number; checksum: string | null }

/** A stored column of a table, with PostgreSQL's name and category of its type. */
export type StoredColumn = {
  table: string
  column: string
  type: string
  category: string
  /** Whether it belongs to a foreign key. */
  isReference: boolean
}

const migrationTable = 'kysely_migration'

/** Values must be formatted identically on every server, whatever its settings. */
export const copySettings = `
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local row_security = off;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

/** The names of the applied migrations; empty if the database was never migrated. */
export async function listAppliedMigrations(client: ClientBase): Promise<string[]> {
  const found = await client.query(`select to_regclass('public.${migrationTable}') is not null as "isThere"`)
  if (!found.rows[0].isThere) return []
  const { rows } = await client.query(`select name from public.${migrationTable}`)
  // Sorted here, because the database may use language-specific order.
  return rows.map(({ name }) => name as string).sort()
}

/**
 * The product's tables with their stored columns; generated columns are left out. Unlogged tables hold nothing
 * to keep.
 */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname not in ('${migrationTable}', '${migrationTable}_lock')
    group by c.relname order by c.relname`)
  return rows as Table[]
}

/** The columns of the tables that `listTables` returns. */
export async function listStoredColumns(client: ClientBase): Promise<StoredColumn[]> {
  const names = (await listTables(client)).map(({ name }) => name)
  const { rows } = await client.query(
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type, t.typcategory as category,
       exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any(k.conkey))
         as "isReference"
     from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by c.relname, a.attnum`,
    [names],
  )
  return rows as StoredColumn[]
}

export async function listForeignKeys(client: ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query(`
    select k.conname as name, a.relname as from, b.relname as to, k.condeferrable as "isDeferrable"
    from pg_constraint k join pg_class a on a.oid = k.conrelid join pg_class b on b.oid = k.confrelid
    where k.contype = 'f' and a.relnamespace = 'public'::regnamespace order by k.conname`)
  return rows as ForeignKey[]
}

export async function listSequences(client: ClientBase): Promise<SequenceState[]> {
  const { rows } = await client.query(
    `select relname as name from pg_class
     where relkind = 'S' and relnamespace = 'public'::regnamespace order by relname`,
  )
  const states: SequenceState[] = []
  for (const { name } of rows as { name: string }[]) {
    const state = await client.query(
      `select ${escapeLiteral(name)} as name, last_value::text as value, is_called as "isCalled" from ${named(name)}`,
    )
    states.push(state.rows[0] as SequenceState)
  }
  return states
}

/** Referenced tables come first. In a cycle of references, some key must point forward. */
export function inLoadingOrder(tables: Table[], keys: ForeignKey[]): Table[] {
  const ordered: Table[] = []
  const visited = new Set<string>()
  const visit = (table: Table): void => {
    if (visited.has(table.name)) return
    visited.add(table.name)
    for (const key of keys) {
      const referenced = key.from === table.name && tables.find(({ name }) => name === key.to)
      if (referenced) visit(referenced)
    }
    ordered.push(table)
  }
  for (const table of tables) visit(table)
  return ordered
}

export async function contentOf(client: ClientBase, table: Table): Promise<Content> {
  const row = `row(${table.columns.map(escapeIdentifier).join(', ')})::text`
  const { rows } = await client.query(`
    select count(*)::int as rows,
      coalesce(sum(('x' || encode(substring(sha256(convert_to(${row}, 'UTF8')) for 7), 'hex'))::bit(56)::bigint), 0)::text as checksum
    from ${named(table.name)}`)
  return rows[0] as Content
}

export const named = (name: string): string => `public.${escapeIdentifier(name)}`

export const copyTarget = ({ name, columns }: Table): string =>
  `${named(name)} (${columns.map(escapeIdentifier).join(', ')})`
