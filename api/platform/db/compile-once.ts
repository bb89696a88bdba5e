import { CompiledQuery, type Compilable } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Compiles a query to SQL once instead of on each call, for queries that every request runs. Its values must be
 * written as sql`$1`, sql`$2`, and so on.
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
