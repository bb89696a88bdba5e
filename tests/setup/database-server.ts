import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#api/db/embedded/start-embedded.ts'
import { migrateToLatest } from '#api/db/migrate.ts'
import { makeTemporary, removeTemporary } from './temporary.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database server with a migrated database `template_of_tests`, to be copied by each test file. */
    databaseServer: { url: string }
  }
}

export const templateName = 'template_of_tests'

/** One server for the run: the embedded one, or the one at TEST_DATABASE_URL, whose user must be allowed to create databases. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  const dataDir = given ? undefined : await makeTemporary('tests')
  const server = dataDir ? await startEmbedded({ dataDir, log: () => {} }) : undefined
  const url = given ?? server!.url
  await remakeTemplate(url)
  project.provide('databaseServer', { url })
  return async () => {
    await server?.stop()
    if (dataDir) await removeTemporary(dataDir)
  }
}

async function remakeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`drop database if exists ${templateName} with (force)`)
  await client.query(`create database ${templateName}`)
  await client.end()
  await migrateToLatest(withDatabase(url, templateName))
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}
