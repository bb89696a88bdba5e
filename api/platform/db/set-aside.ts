import { type ClientBase, escapeIdentifier } from 'pg'
import { StartRefused } from '../start-refused.ts'
import { DatabaseClient } from './database-client.ts'
import { refusalOfConnection } from './explain-connection.ts'

/* Replaces the contents of a database with a dump of it, as the owner of its objects and without the right to create
   databases. The current tables are moved to another schema of the same database, so they still exist if the restore
   fails or is killed. */

/** Contains the tables as they were before a restore. While it exists, the restore isn't complete, and no release starts. */
const unfinished = 'unfinished_restore'
/** Contains what a killed restore loaded. It never outlives a transaction. */
const discarded = 'discarded_restore'

/** Whether a restore was begun by `setAside` and not finished. */
export const hasUnfinishedRestore = (url: string): Promise<boolean> =>
  withClient(url, (client) => hasSchema(client, unfinished))

/** Whether the role may create the schema that `setAside` needs. */
export const canSetAside = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select has_database_privilege(current_database(), 'create') as "can"`,
    )
    return (rows as { can: boolean }[])[0]!.can
  })

/** Refuses to start a release on a database that a killed restore left empty or incomplete. */
export async function requireNoUnfinishedRestore(url: string): Promise<void> {
  if (await hasUnfinishedRestore(url))
    throw new StartRefused(
      'The database is being restored. If the command was interrupted, run coin rollback.',
    )
}

/** Empties the database for a restore. After a killed restore, deletes only what that restore loaded. */
export const setAside = (url: string): Promise<void> =>
  inTransaction(url, async (client) => {
    if (await hasSchema(client, unfinished)) return emptyPublic(client)
    await client.query(`create schema ${unfinished}`)
    await moveObjects(client, 'public', unfinished)
  })

/** Returns to the tables that were set aside, because the restore failed. */
export const putBack = (url: string): Promise<void> =>
  inTransaction(url, async (client) => {
    await emptyPublic(client)
    await moveObjects(client, unfinished, 'public')
    await client.query(`drop schema ${unfinished}`)
  })

/** Marks the restore as complete. Keeps the former tables in a schema of this name, or deletes them. */
export const finishRestore = (url: string, keptAs: string | undefined): Promise<void> =>
  inTransaction(url, async (client) => {
    await client.query(
      keptAs === undefined
        ? `drop schema ${unfinished} cascade`
        : `alter schema ${unfinished} rename to ${escapeIdentifier(keptAs)}`,
    )
  })

async function emptyPublic(client: ClientBase): Promise<void> {
  await client.query(`create schema ${discarded}`)
  await moveObjects(client, 'public', discarded)
  await client.query(`drop schema ${discarded} cascade`)
}

async function hasSchema(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query('select to_regnamespace($1) is not null as "isThere"', [name])
  return (rows as { isThere: boolean }[])[0]!.isThere
}

/**
 * Moves what the product's migrations create. Objects of extensions and of other roles stay. Indexes, constraints, and
 * owned sequences follow their table.
 */
async function moveObjects(client: ClientBase, from: string, to: string): Promise<void> {
  const { rows } = await client.query(
    `with own as (
       select 'pg_class'::regclass as catalog, c.oid, 'table ' || c.oid::regclass as name from pg_class c
         where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and pg_has_role(c.relowner, 'usage')
       union all select 'pg_class'::regclass, c.oid, 'sequence ' || c.oid::regclass from pg_class c
         where c.relnamespace = $1::regnamespace and c.relkind = 'S' and pg_has_role(c.relowner, 'usage')
           and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
             and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
       union all select 'pg_proc'::regclass, p.oid, 'routine ' || p.oid::regprocedure from pg_proc p
         where p.pronamespace = $1::regnamespace and pg_has_role(p.proowner, 'usage')
       union all select 'pg_type'::regclass, t.oid, 'type ' || t.oid::regtype from pg_type t
         where t.typnamespace = $1::regnamespace and pg_has_role(t.typowner, 'usage') and (t.typtype in ('e', 'd', 'r')
           or t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c')))
     select 'alter ' || name || ' set schema ' || quote_ident($2) as statement from own
     where not exists (select from pg_depend d where d.classid = own.catalog and d.objid = own.oid and d.deptype = 'e')
     -- The names of functions contain the types of their arguments, so they are moved first.
     order by catalog <> 'pg_proc'::regclass`,
    [from, to],
  )
  for (const { statement } of rows as { statement: string }[]) await client.query(statement)
}

const inTransaction = (url: string, work: (client: ClientBase) => Promise<void>): Promise<void> =>
  withClient(url, async (client) => {
    // Names are written with their schema, and a forgotten instance is reported instead of waited for.
    await client.query(`begin; set local search_path = ''; set local lock_timeout = '10s'`)
    await client.query('set local statement_timeout = 0')
    await work(client)
    await client.query('commit')
  })

/** Ending the session rolls back uncommitted changes. */
async function withClient<T>(url: string, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({ url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw refusalOfConnection(url, error) ?? error
  } finally {
    await client.end().catch(() => undefined)
  }
}
