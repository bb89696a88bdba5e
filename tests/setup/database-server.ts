import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { languages } from '#contract/platform/languages.ts'
import { startEmbedded } from '#api/platform/db/embedded/start-embedded.ts'
import { migrateToLatest } from '#api/platform/db/migrate.ts'
import { isInMemory } from './quick-storage.ts'
import { makeTemporary, removeTemporary } from './temporary.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database server with a migrated database that each test file copies. */
    databaseServer: { url: string; template: string; copiedBy: Strategy }
  }
}

/** An additional language of the content also exists in the database. */
const template = `template_of_tests_${languages.join('_')}`

/** The copy strategy: copying files takes half the time of copying pages, unless each file waits for a disk. */
type Strategy = 'strategy file_copy' | ''
type Server = { url: string; copiedBy: Strategy; stop: () => Promise<void> }
type Held = { starting: Promise<Server>; templates: Map<string, Promise<void>>; holders: number }

/** Each project loads this file again, all in this process, so shared state is stored globally. */
const held = globalThis as { serverOfTests?: Held | undefined }

/**
 * One server for all projects of the run: the embedded one, or the one at TEST_DATABASE_URL, whose user must be allowed
 * to create databases. It stops with the last project.
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
    // PostgreSQL has had this choice since version 15.
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

/** Makes password checks fast, because thousands of connections do not test them. */
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
  // The first connection to a database writes cache files, which are then copied with it.
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
