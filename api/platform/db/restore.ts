import { pipeline } from 'node:stream/promises'
import { type ClientBase, DatabaseError } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartRefused } from '../start-refused.ts'
import {
  contentOf,
  copySettings,
  copyTarget,
  listAppliedMigrations,
  listTables,
  named,
} from './dump-catalogue.ts'
import { DatabaseClient } from './database-client.ts'
import { refusalOfConnection } from './explain-connection.ts'
import { type DumpHeader, openDump, verifyDump } from './dump-file.ts'
import { migrateToLatest, readMigrations } from './migrate.ts'
import { withDeferredChecks } from './with-deferred-checks.ts'

/** How a release creates an empty database. */
export type Release = {
  migrations: readonly string[]
  migrate(url: string): Promise<void>
  /** Runs in the transaction that loads the dump. */
  finish?(client: ClientBase, takenAt: string): Promise<void>
}

/**
 * Loads a dump into an empty database, completely or not at all. Rejects a truncated or altered file, a dump of
 * another migration level, and a database that is not empty.
 */
export async function restoreDatabase(url: string, file: string, release?: Release): Promise<DumpHeader> {
  const { migrations, migrate, finish } = release ?? (await thisRelease())
  const header = await verifyDump(file)
  refuseOtherLevel(header.migrations, migrations, `${file} was made`)
  const client = new DatabaseClient({ url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const isNew = (await listTables(client)).length === 0
    if (isNew) await migrate(url)
    await client.query('begin')
    await client.query(`${copySettings}; set local lock_timeout = '10s'`)
    refuseOtherLevel(await listAppliedMigrations(client), migrations, 'The database is')
    await takeTarget(client, header, isNew)
    const order = header.tables.map(({ name }) => name)
    await withDeferredChecks(client, order, () => load(client, file))
    await verifyTarget(client, header)
    await finish?.(client, header.takenAt)
    await client.query('commit')
    await client.query('analyze')
    return header
  } catch (error) {
    throw refusalOf(error)
  } finally {
    // Ending the session rolls back uncommitted changes.
    await client.end().catch(() => undefined)
  }
}

/** Checked before much is copied, because a restore into a non-empty database would be refused in the end. */
export async function requireEmptyDatabase(url: string): Promise<void> {
  const client = new DatabaseClient({ url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const tables = await listTables(client)
    if (!tables.some(({ name }) => name === 'member')) return
    const { rows } = await client.query('select from public.member limit 1')
    if (rows.length > 0) throw notEmpty('member')
  } catch (error) {
    throw refusalOfConnection(url, error) ?? error
  } finally {
    await client.end().catch(() => undefined)
  }
}

const notEmpty = (table: string): StartRefused =>
  new StartRefused(
    `The database is not empty (table ${table}). Restore into an empty database or an empty DATA_DIR.`,
  )

/**
 * Restores the state of the dump without ending what was open. Only for a database in which nothing has happened since
 * the dump was made.
 */
export async function restoreExactly(url: string, file: string): Promise<DumpHeader> {
  const { finish: _, ...release } = await thisRelease()
  return restoreDatabase(url, file, release)
}

async function thisRelease(): Promise<Release> {
  const migrations = await readMigrations()
  return {
    migrations: migrations.map(({ name }) => name),
    migrate: migrateToLatest,
    finish: async (client, takenAt) => void (await client.query('select end_what_was_open($1)', [takenAt])),
  }
}

function refuseOtherLevel(found: readonly string[], expected: readonly string[], what: string): void {
  if (found.toSorted().join('\n') === expected.toSorted().join('\n')) return
  throw new StartRefused(
    `${what} at migration ${found.at(-1) ?? 'none'} and this release is at ${expected.at(-1)}. Restore into an empty database with the release that made the dump, then upgrade.`,
  )
}

/** Locks out everyone else. The only rows of a new database are those inserted by migrations. */
async function takeTarget(client: ClientBase, header: DumpHeader, isNew: boolean): Promise<void> {
  const tables = await listTables(client)
  const all = tables.map(({ name }) => named(name)).join(', ')
  const shape = (list: { name: string; columns: string[] }[]): string =>
    list
      .map(({ name, columns }) => `${name} ${columns.toSorted().join(' ')}`)
      .toSorted()
      .join('\n')
  if (shape(tables) !== shape(header.tables)) {
    throw new StartRefused(
      'The tables in the database don’t match the dump. Restore into an empty database with the release that made the dump.',
    )
  }
  await client.query(`lock table ${all} in access exclusive mode`)
  for (const { name } of isNew ? [] : tables) {
    const { rows } = await client.query(`select from ${named(name)} limit 1`)
    if (rows.length === 0) continue
    throw notEmpty(name)
  }
}

async function load(client: ClientBase, file: string): Promise<void> {
  const { header, readTable } = await openDump(file)
  await client.query(`truncate ${header.tables.map(({ name }) => named(name)).join(', ')}`)
  for (const table of header.tables) {
    await pipeline(readTable(table), client.query(copyFrom(`copy ${copyTarget(table)} from stdin`)))
  }
  for (const { name, value, isCalled } of header.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [named(name), value, isCalled])
  }
}

/** Verifies what the database stored, not what was sent to it. */
async function verifyTarget(client: ClientBase, header: DumpHeader): Promise<void> {
  for (const table of header.tables) {
    const { rows, checksum } = await contentOf(client, table)
    if (rows === table.rows && (table.checksum === null || checksum === table.checksum)) continue
    throw new StartRefused(
      `Table ${table.name} doesn’t match the dump (${rows} of ${table.rows} rows). Nothing was restored. Use a different copy of the dump.`,
    )
  }
}

/** PostgreSQL's messages and details quote rows; its code and the object names are sufficient. */
function refusalOf(error: unknown): StartRefused {
  if (error instanceof StartRefused) return error
  const reason =
    error instanceof DatabaseError
      ? [error.code, error.table, error.constraint].filter(Boolean).join(', ')
      : (error as Error).message
  return new StartRefused(
    `The dump wasn’t restored, and the database is unchanged (${reason}). Check that the database responds, is empty, and belongs to its user.`,
    { cause: error },
  )
}
