import { sql } from 'kysely'
import type { Database } from '../../api/db/database.ts'
import { insertPosts } from './posts.ts'
import { rowsAt } from './rows.ts'
import type { Sizes } from './sizes.ts'

type Index = { name: string; table: string; make: string }

/**
 * Fills an empty database. Each table is filled by one statement, before its indexes are created and with triggers
 * disabled; the rows that triggers would write are inserted by statements as well. A database that is in use or has
 * another size is not touched.
 */
export const fill = (pool: Database, sizes: Sizes, log: (line: string) => void = () => {}): Promise<void> =>
  pool.connection().execute(async (db) => {
    const run = (text: string) => sql.raw(text).execute(db)
    const { rows: found } = await sql<{ is_filled: boolean }>`
      select exists (select from member where id = 'member-1') as is_filled from member limit 1`.execute(db)
    if (found[0]?.is_filled) return
    if (found[0])
      throw new Error('The database has members of its own: the benchmark fills an empty one only.')
    const steps = [
      ...rowsAt(sizes).map(({ table, text }) => ({ table, work: () => run(text) })),
      { table: 'announcement', work: () => insertPosts(db, sizes.posts) },
    ]
    const tables = steps.map(({ table }) => table)
    await run(`set statement_timeout = 0`)
    // Outside a transaction the server ignores this, but our database client takes its own time limit from it.
    await run(`set local statement_timeout = 0`)
    await run(`set maintenance_work_mem = '512MB'`)
    await run(`set max_parallel_maintenance_workers = 2`)
    await run('set synchronous_commit = off')
    const indexes = await sql<Index>`
      select indexrelid::regclass::text as name, indrelid::regclass::text as table, pg_get_indexdef(indexrelid) as make
      from pg_index where indrelid::regclass::text = any(${tables})
        and not exists (select from pg_constraint where conindid = indexrelid)`.execute(db)
    const needed = ({ name }: Index) => name === 'kyc_application_by_member'
    const made = indexes.rows.filter((index) => !needed(index))
    for (const { name } of made) await run(`drop index ${name}`)
    for (const { table, work } of steps) {
      const begun = performance.now()
      await run(`alter table ${table} disable trigger user`)
      await work()
      await run(`alter table ${table} enable trigger user`)
      for (const { make } of made.filter((index) => index.table === table)) await run(make)
      await run(`analyze ${table}`)
      log(`${table}: filled in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    }
    // Runs at the end, when no older transaction is active, because only then index-only scans are possible.
    for (const table of tables) await run(`vacuum ${table}`)
  })
