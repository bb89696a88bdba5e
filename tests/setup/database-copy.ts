import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { templateName, withDatabase } from './database-server.ts'

async function withServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseServer').url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** The address of a new database, migrated and empty. Nothing may be connected to the template while it is copied. */
export async function copyTemplate(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await withServer(async (client) => {
    // Copying locks the template; test files that start at the same moment wait for one another here.
    await client.query(`select pg_advisory_lock(1)`)
    await client.query(`create database ${name} template ${templateName}`)
    // Nothing here has to survive a power cut, and waiting for the disk is most of a test's time.
    await client.query(`alter database ${name} set synchronous_commit = off`)
  })
  return withDatabase(inject('databaseServer').url, name)
}

const insufficientPrivilege = '42501'

/** `force` closes open connections. It is refused while the server itself vacuums the database: then without it. */
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
