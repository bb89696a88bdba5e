import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { dropDatabase } from './database-copy.ts'
import { withDatabase } from './database-server.ts'

const directory = join(import.meta.dirname, '../../api/db/migrations')

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** A database as it was before the migration of that name; `upgrade` applies it and all that follow. */
export async function databaseBefore(
  migration: string,
): Promise<{ client: pg.Client; url: string; upgrade: () => Promise<void> }> {
  const server = await connect(inject('databaseServer').url)
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`
  await server.query(`create database ${name}`)
  await server.end()
  const url = withDatabase(inject('databaseServer').url, name)
  const client = await connect(url)
  onTestFinished(async () => {
    await client.end()
    await dropDatabase(url)
  })
  // By their names without the ending, as the program applies them.
  const names = (await readdir(directory))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -4))
  const files = names.toSorted().map((name) => `${name}.sql`)
  const at = files.indexOf(`${migration}.sql`)
  if (at === -1) throw new Error(`there is no migration ${migration}`)
  const apply = async (some: string[]) => {
    for (const file of some) await client.query(await readFile(join(directory, file), 'utf8'))
  }
  await apply(files.slice(0, at))
  return { client, url, upgrade: () => apply(files.slice(at)) }
}
