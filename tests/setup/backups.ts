import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { makeIdentity } from '#api/platform/backup/age.ts'
import type { BackupOf } from '#api/platform/backup/make-backup.ts'
import { applyMigrations, migrateToLatest, readMigrations } from '#api/platform/db/migrate.ts'
import { openDiskStore, type FileStore } from '#api/platform/files/file-store.ts'
import { DAY } from '#contract/platform/durations.ts'
import { dropDatabase } from './database-copy.ts'
import { withDatabase } from './database-server.ts'
import { startApi } from './start-api.ts'
import { makeTemporary, removeTemporary } from './temporary.ts'

export async function aFolder(): Promise<string> {
  const folder = await makeTemporary('backup')
  onTestFinished(() => removeTemporary(folder))
  return folder
}

export const { identity, recipient } = await makeIdentity()

export async function anInstallation(target?: FileStore) {
  const started = await startApi()
  const { config, files } = started.services
  const of: BackupOf = {
    url: config.databaseUrl!,
    files,
    masterKey: randomBytes(32),
    target: target ?? openDiskStore(await aFolder()),
    recipient,
    keep: 30 * DAY,
    workDir: await aFolder(),
  }
  return { started, of }
}

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

/** A new machine: an empty database, an empty store, no key. */
export async function anEmptyMachine() {
  const [url, folder] = [await makeDatabase(), await aFolder()]
  let key: Buffer | undefined
  const into = { url, files: openDiskStore(folder), takeKey: (given: Buffer) => void (key = given) }
  return { into, key: () => key }
}

export const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
