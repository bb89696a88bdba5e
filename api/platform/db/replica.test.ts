import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { SECOND } from '#contract/platform/durations.ts'
import { api } from '#contract/api.ts'
import { anAdmin } from '#tests/builders.ts'
import { ask, end, startReplicated } from '#tests/setup/replicated-database.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { openDatabase, type Database } from './database.ts'
import { makeReplica } from './replica.ts'

let servers: Awaited<ReturnType<typeof startReplicated>>
let primary: Database
let replica: Database
const urlOf = (port: number) => `postgres://coin@127.0.0.1:${port}/coin`

beforeAll(async () => {
  servers = await startReplicated()
  // Writes don't wait for the replica, so it can be behind.
  await ask(servers.primary.url, 'alter role coin set synchronous_commit = local')
  primary = openDatabase(urlOf(servers.primary.port), () => {})
  replica = openDatabase(urlOf(servers.replica.port), () => {})
  await sql`create table sample (n integer)`.execute(primary)
})
afterAll(async () => {
  await Promise.all([primary.destroy(), replica.destroy()])
  await servers.stop()
})

const open = (lagMax = 2 * SECOND) => makeReplica({ primary, replica, lagMax, log: Fastify().log })

/** Writes a number, and returns how many of them a read that begins then sees. */
async function writeAndCount({ read }: ReturnType<typeof open>): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`insert into sample select 1 + count(*) from sample returning n`.execute(primary)
  const seen = await read((db) =>
    sql<{ count: number }>`select count(*)::integer as count from sample`.execute(db),
  )
  return seen.rows[0]!.count - rows[0]!.n
}

test('each read sees what was written before, and comes from the replica', async () => {
  const reads = open()
  for (let n = 0; n < 100; n += 1) expect(await writeAndCount(reads)).toBe(0)
  expect(reads.state()).toEqual({ replica: 100, primary: 0, isLeftOut: false })
})

test('if the replica is behind, the primary is read after the wait, and then without one', async () => {
  const reads = open(50)
  await ask(servers.replica.url, 'select pg_wal_replay_pause()')
  onTestFinished(() => ask(servers.replica.url, 'select pg_wal_replay_resume()').then(() => undefined))
  for (let n = 0; n < 3; n += 1) expect(await writeAndCount(reads)).toBe(0)
  expect(reads.state()).toEqual({ replica: 0, primary: 3, isLeftOut: true })
  await ask(servers.replica.url, 'select pg_wal_replay_resume()')
  await vi.waitFor(
    async () => {
      expect(await writeAndCount(reads)).toBe(0)
      expect(reads.state()).toMatchObject({ replica: 1, isLeftOut: false })
    },
    { timeout: 10 * SECOND, interval: 100 },
  )
})

test('an error of the work itself is not retried', async () => {
  const reads = open()
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('a defect')))
  await expect(reads.read(work)).rejects.toThrow('a defect')
  expect(work).toHaveBeenCalledTimes(1)
})

test('console lists and responses for everyone are read through it, and need no right to write', async () => {
  const started = await startApi()
  const { call, services } = started
  const { token } = await anAdmin(started)
  const readOnly = openDatabase(
    `${services.config.databaseUrl}?options=-c%20default_transaction_read_only%3Don`,
    () => {},
  )
  onTestFinished(() => readOnly.destroy())
  let count = 0
  services.replica = {
    read: (work) => {
      count += 1
      return work(readOnly)
    },
    state: () => undefined,
  }
  expect((await call(api.listConsoleMembers, { query: {} }, { token })).status).toBe(200)
  expect((await call(api.listAnnouncements, { params: { lang: 'en' } })).status).toBe(200)
  expect(count).toBe(2)
})

test('a server that no longer follows the primary isn’t read', async () => {
  const reads = open(50)
  await ask(servers.replica.url, 'select pg_promote()')
  for (let n = 0; n < 3; n += 1) expect(await writeAndCount(reads)).toBe(0)
  expect(reads.state()).toMatchObject({ replica: 0, primary: 3 })
})

test('without the replica, everything is read from the primary', async () => {
  const reads = open()
  await end(servers.replica.process, 'SIGQUIT')
  for (let n = 0; n < 3; n += 1) expect(await writeAndCount(reads)).toBe(0)
  expect(reads.state()).toEqual({ replica: 0, primary: 3, isLeftOut: true })
})
