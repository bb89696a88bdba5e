import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { applyMigrations, migrateToLatest, readMigrations } from '#api/db/migrate.ts'
import { dropDatabase } from './database-copy.ts'
import { withDatabase } from './database-server.ts'

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/**
 * Creates a database for the test and returns its URL. If `template` names another database, it is a copy; nobody may
 * be connected to that one.
 */
export async function makeDatabase(template?: string): Promise<string> {
  const server = await connect(inject('databaseServer').url)
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`
  const copied = template ? `template ${new URL(template).pathname.slice(1)}` : ''
  await server.query(`create database ${name} ${copied}`)
  await server.end()
  const url = withDatabase(inject('databaseServer').url, name)
  onTestFinished(() => dropDatabase(url))
  return url
}

/** A database in the state before the given migration. `upgrade` migrates it like the program. */
export async function databaseBefore(
  migration: string,
): Promise<{ client: pg.Client; url: string; upgrade: () => Promise<void> }> {
  const migrations = await readMigrations()
  const at = migrations.findIndex(({ name }) => name === migration)
  if (at === -1) throw new Error(`there is no migration ${migration}`)
  const url = await makeDatabase()
  await applyMigrations(url, migrations.slice(0, at))
  const client = await connect(url)
  onTestFinished(() => client.end())
  return { client, url, upgrade: () => migrateToLatest(url) }
}
