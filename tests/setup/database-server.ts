import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { languages } from '#contract/languages.ts'
import { startEmbedded } from '#api/db/embedded/start-embedded.ts'
import { migrateToLatest } from '#api/db/migrate.ts'
import { isInMemory } from './quick-storage.ts'
import { makeTemporary, removeTemporary } from './temporary.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database server with a migrated database, to be copied by each test file. */
    databaseServer: { url: string; template: string; copiedBy: Strategy }
  }
}

/** A further language of the content is one of the database, too. */
const template = `template_of_tests_${languages.join('_')}`

/** How a database is copied: a file at a time takes half the time of a page at a time, unless each file waits for a disk. */
type Strategy = 'strategy file_copy' | ''
type Server = { url: string; copiedBy: Strategy; stop: () => Promise<void> }
type Held = { starting: Promise<Server>; templates: Map<string, Promise<void>>; holders: number }

/** Each project loads this file anew, and all of them run in this process: what they share stands in it. */
const held = globalThis as { serverOfTests?: Held | undefined }

/**
 * One server for all projects of the run: the embedded one, or the one at TEST_DATABASE_URL, whose user must be allowed to
 * create databases. It ends with the last project.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const mine = (held.serverOfTests ??= { starting: startServer(), templates: new Map(), holders: 0 })
  mine.holders += 1
  const { url, copiedBy, stop } = await mine.starting
  const made = mine.templates.get(template) ?? makeTemplate(url)
  mine.templates.set(template, made)
  await made
  project.provide('databaseServer', { url, template, copiedBy })
  return async () => {
    mine.holders -= 1
    if (mine.holders > 0) return
    held.serverOfTests = undefined
    await stop()
  }
}

async function startServer(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) {
    // Before PostgreSQL 15 there was no choice.
    const { rows } = await withClient(given, (client) =>
      client.query<{ isQuick: boolean }>(
        `select current_setting('fsync') = 'off' and current_setting('server_version_num')::int >= 150000 as "isQuick"`,
      ),
    )
    const copiedBy = rows[0]!.isQuick ? 'strategy file_copy' : ''
    return { url: given, copiedBy, stop: async () => {} }
  }
  const dataDir = await makeTemporary('tests')
  const server = await startEmbedded({ dataDir, log: () => {} })
  await proveQuickly(server.url)
  return {
    url: server.url,
    copiedBy: isInMemory(dataDir) ? 'strategy file_copy' : '',
    async stop() {
      await server.stop()
      await removeTemporary(dataDir)
    },
  }
}

/** Thousands of connections are about something else than the proof of a password, which is made to take long. */
async function proveQuickly(url: string): Promise<void> {
  const { username, password } = new URL(url)
  await withClient(url, (client) =>
    client.query(
      `set scram_iterations = 1; alter role ${username} password ${pg.escapeLiteral(decodeURIComponent(password))}`,
    ),
  )
}

async function makeTemplate(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`drop database if exists ${template} with (force)`)
    await client.query(`create database ${template}`)
  })
  const address = withDatabase(url, template)
  await migrateToLatest(address)
  // Whoever connects to a database writes down what all who come later begin with; files are copied with it.
  await withClient(address, (client) => client.query('select 1'))
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}
