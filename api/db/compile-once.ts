import { CompiledQuery, type Compilable } from 'kysely'
import type { Tx } from './database.ts'

/**
 * A query that is built as others are, and turned into SQL once instead of for each call: for those of every request. Its values
 * are written sql`$1`, sql`$2` and so on, and no others.
 */
export function compileOnce<Row>(
  build: (db: Tx) => Compilable<Row>,
): (db: Tx, ...values: unknown[]) => Promise<Row[]> {
  let text: string | undefined
  return async (db, ...values) => {
    text ??= compile(build(db))
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values))
    return rows
  }
}

function compile(query: Compilable): string {
  const { sql, parameters } = query.compile()
  if (parameters.length > 0) throw new Error('a query that is compiled once has a value of its own')
  return sql
}
