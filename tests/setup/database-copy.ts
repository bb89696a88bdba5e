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

/** The address of a database of one's own, migrated and empty. Nobody may be connected to the template itself: it is being copied. */
export async function copyTemplate(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await withServer(async (client) => {
    // Copying locks the template; files that begin at the same moment wait for one another here.
    await client.query(`select pg_advisory_lock(1)`)
    await client.query(`create database ${name} template ${templateName}`)
    // Nothing here has to survive a power cut, and waiting for the disk is most of a test's time.
    await client.query(`alter database ${name} set synchronous_commit = off`)
  })
  return withDatabase(inject('databaseServer').url, name)
}

const insufficientPrivilege = '42501'

/** With force, whoever is still connected is sent away. It is refused while the server itself tidies up in there: then without. */
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
