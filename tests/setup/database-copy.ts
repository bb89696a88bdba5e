import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { withDatabase } from './database-server.ts'

let connected: Promise<pg.Client> | undefined
let last: Promise<unknown> = Promise.resolve()

/** One connection for all test files of a worker, because opening one takes a good part of the time of a copy. */
function withServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const next = last.then(async () => work(await (connected ??= open())))
  last = next.catch(() => {})
  return next
}

async function open(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('databaseServer').url })
  const forget = () => (connected = undefined)
  client.on('error', forget).on('end', forget)
  await client.connect()
  return client
}

/**
 * Returns the URL of a new database, migrated and empty. Nothing may be connected to the template while it is copied.
 * `isDurable` is for tests that check the durability settings.
 */
export async function copyTemplate({ isDurable = false } = {}): Promise<string> {
  const { url, template, copiedBy } = inject('databaseServer')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await withServer(async (client) => {
    await client.query(`create database ${name} template ${template} ${copiedBy}`)
    // Nothing here has to survive a power failure, and waiting for the disk takes most of a test's time.
    if (!isDurable) await client.query(`alter database ${name} set synchronous_commit = off`)
  })
  return withDatabase(url, name)
}

const insufficientPrivilege = '42501'

/**
 * `force` closes open connections. It is refused while the server vacuums the database; then it is dropped without it.
 */
export const dropDatabase = (url: string): Promise<void> =>
  withServer(async (client) => {
    const drop = `drop database if exists ${new URL(url).pathname.slice(1)}`
    try {
      await client.query(`${drop} with (force)`)
    } catch (error) {
      if ((error as { code?: string }).code !== insufficientPrivilege) throw error
      await client.query(drop)
    }
  })
