import type pg from 'pg'

export type Column = {
  table: string
  column: string
  type: string
  isGenerated: boolean
  isRequired: boolean
  hasDefault: boolean
  /** The table that the column references. */
  refersTo: string | null
  lengthMax: number | null
  /** The first value of an enumeration. */
  firstLabel: string | null
}

/** Returns every column of every table. */
export async function readColumns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as "type",
      a.attgenerated <> '' as "isGenerated", a.attnotnull as "isRequired", a.atthasdef or a.attidentity <> '' as "hasDefault",
      (select f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.conkey = array[a.attnum] limit 1) as "refersTo",
      (select (regexp_match(pg_get_constraintdef(k.oid), 'char_length\\(\\w+\\) <= (\\d+)'))[1]::int from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) ~ 'char_length' limit 1) as "lengthMax",
      (select enumlabel from pg_enum where enumtypid = a.atttypid order by enumsortorder limit 1) as "firstLabel"
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relname not like 'kysely%'
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where a.attnum > 0 and not a.attisdropped
    order by c.oid, a.attnum`)
  return rows
}

/** Markers have no valid format, so constraints are dropped in this temporary database. */
export async function dropChecks(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace and conrelid <> 0`)
  for (const { drop } of rows) await client.query(drop)
}

/**
 * Inserts a row into every table that belongs to one member: a marker in every column that can contain data, and the
 * member's ID in every column that references members. `fixed` has the values that constraints require, by table.
 */
export async function plantRows(
  client: pg.Client,
  columns: readonly Column[],
  memberId: string,
  fixed: Record<string, Record<string, unknown>>,
  without: readonly string[],
): Promise<void> {
  const ids = new Map<string, unknown>([['member', memberId]])
  const waiting = new Set(columns.map(({ table }) => table).filter((table) => !without.includes(table)))
  waiting.delete('member')
  while (waiting.size > 0) {
    const ready = [...waiting].find((table) =>
      columns.every(
        (each) =>
          each.table !== table ||
          !each.isRequired ||
          !each.refersTo ||
          each.refersTo === table ||
          ids.has(each.refersTo),
      ),
    )
    if (!ready) throw new Error(`these tables refer to one another: ${[...waiting].join(', ')}`)
    waiting.delete(ready)
    const own = columns.filter(({ table, isGenerated }) => table === ready && !isGenerated)
    const values = own.flatMap((each): [string, unknown][] => {
      const asked = fixed[ready] ?? {}
      const value = each.column in asked ? asked[each.column] : valueFor(each, ids)
      return value === undefined ? [] : [[each.column, value]]
    })
    const names = values.map(([name]) => name)
    const given =
      names.length === 0
        ? 'default values'
        : `(${names.join(', ')}) overriding system value
           values (${names.map((_, index) => `$${index + 1}`).join(', ')})`
    const { rows } = await client
      .query<Record<string, unknown>>(
        `insert into ${ready} ${given} returning *`,
        values.map(([, value]) => value),
      )
      .catch((error: unknown) => {
        throw new Error(
          `no row could be planted in ${ready}; say in the guard what its constraints ask for`,
          {
            cause: error,
          },
        )
      })
    ids.set(ready, rows[0]!['id'] ?? rows[0]!['n'])
  }
}

/** What is planted in a column with text. */
export const markerOf = ({ table, column, lengthMax }: Column): string =>
  `planted ${table}.${column}`.slice(0, lengthMax ?? 200)

function valueFor(each: Column, ids: ReadonlyMap<string, unknown>): unknown {
  if (each.refersTo) return ids.get(each.refersTo)
  if (each.column === 'id' && each.hasDefault) return undefined
  if (each.type === 'text') return markerOf(each)
  if (each.type === 'bytea') return Buffer.from(markerOf(each))
  if (each.type === 'jsonb' || each.type === 'json') return JSON.stringify([markerOf(each)])
  if (each.type === 'text[]') return [markerOf(each)]
  if (!each.isRequired || each.hasDefault) return undefined
  if (each.firstLabel) return each.firstLabel
  if (each.type === 'date') return '2026-11-16'
  if (each.type.startsWith('timestamp')) return new Date(Date.now() + 86_400_000)
  if (each.type.endsWith('[]')) return []
  if (/^(integer|bigint|smallint|numeric)/.test(each.type)) return 1
  if (each.type === 'boolean') return false
  return undefined
}
