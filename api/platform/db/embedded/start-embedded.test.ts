import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { clusterIn, inspectCluster } from './cluster/cluster.ts'
import { applicationUrl } from './application-database.ts'
import {
  aFolder,
  aStoppedCluster,
  isAlive,
  leftovers,
  pidIn,
  query,
  start,
  startTimeMax,
  timeOf,
  removeTemplate,
} from './trial.ts'

afterAll(removeTemplate)

/** Usually takes a moment; allow ten times that on a busy machine. */
const patience = 15_000

test('the first start creates an application role that owns its database and is not a superuser', async () => {
  const { url, adopted, events } = await start(aFolder())
  expect(adopted).toBe(false)
  expect(events).toEqual(['database.created', 'database.started'])
  const [role] = await query(
    url,
    `select current_user as name, rolsuper, rolcreatedb, rolcreaterole, rolreplication,
            (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner
     from pg_roles where rolname = current_user`,
  )
  expect(role).toEqual({
    name: 'app',
    rolsuper: false,
    rolcreatedb: true,
    rolcreaterole: false,
    rolreplication: false,
    owner: 'app',
  })
  await query(url, 'create table sample (id int)')
  await query(url, 'create database copy template app')
  await expect(query(url, `set log_min_messages = 'debug5'`)).rejects.toMatchObject({ code: '42501' })
})

test('settings keep data safe, times in UTC, and text in UTF-8', async () => {
  const { url } = await start(await aStoppedCluster())
  const rows = await query<{ name: string; setting: string }>(
    url,
    `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'TimeZone',
     'server_encoding', 'shared_buffers', 'max_connections', 'data_checksums', 'server_version_num')`,
  )
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    TimeZone: 'UTC',
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    max_connections: '100',
    server_encoding: 'UTF8',
    server_version_num: '180004',
    shared_buffers: '16384',
    synchronous_commit: 'on',
  })
  const [collation] = await query(
    url,
    `select datlocprovider, datlocale from pg_database where datname = 'app'`,
  )
  expect(collation).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' })
})

test('only loopback with a password can connect, and only this account can read secrets', async () => {
  const dataDir = await aStoppedCluster()
  const { url } = await start(dataDir)
  const cluster = clusterIn(dataDir)
  expect(statSync(cluster.data).mode & 0o777).toBe(0o700)
  expect(statSync(cluster.credentials).mode & 0o777).toBe(0o600)
  expect(statSync(cluster.log).mode & 0o777).toBe(0o600)
  expect(statSync(join(dataDir, 'pg.lock')).mode & 0o777).toBe(0o600)

  const postmaster = readFileSync(join(cluster.data, 'postmaster.pid'), 'utf8').split('\n')
  expect(postmaster[4]).toBe('')
  expect(postmaster[5]).toBe('127.0.0.1')
  const { port } = new URL(url)
  for (const [user, password] of [
    ['app', 'wrong'],
    ['app', ''],
    ['postgres', inspectCluster(cluster).app],
  ]) {
    await expect(query(`postgres://${user}:${password}@127.0.0.1:${port}/app`, 'select 1')).rejects.toThrow(
      /password/,
    )
  }
  const superuser = inspectCluster(cluster).superuser
  const [stored] = await query<{ methods: string; rules: string }>(
    `postgres://postgres:${superuser}@127.0.0.1:${port}/postgres`,
    `select (select string_agg(distinct left(rolpassword, 13), ' ') from pg_authid where rolpassword is not null) as methods,
            (select string_agg(concat_ws(' ', type, address, netmask, auth_method), ', ') from pg_hba_file_rules) as rules`,
  )
  expect(stored).toEqual({ methods: 'SCRAM-SHA-256', rules: 'host 127.0.0.1 255.255.255.255 scram-sha-256' })
})

test('rows and the address survive a stop, and stopping twice is one stop', async () => {
  const dataDir = await aStoppedCluster()
  let first = {} as Awaited<ReturnType<typeof start>>
  const usual = await timeOf(async () => (first = await start(dataDir)))
  await query(first.url, 'create table sample as select 7 as number')
  const pid = pidIn(dataDir)
  await Promise.all([first.stop(), first.stop()])
  // A process that has ended exists until the system has noticed.
  await expect.poll(() => isAlive(pid), { timeout: patience }).toBe(false)

  let second = {} as Awaited<ReturnType<typeof start>>
  expect(await timeOf(async () => (second = await start(dataDir)))).toBeLessThan(startTimeMax(usual))
  expect(second.url).toBe(first.url)
  expect(second.events).toEqual(['database.started'])
  expect(await query(second.url, 'select number from sample')).toEqual([{ number: 7 }])
})

test('stop closes open connections instead of waiting for them', async () => {
  const { url, stop } = await start(await aStoppedCluster())
  const waiting = query(url, 'select pg_sleep(60)').catch((error: { code: string }) => error.code)
  await expect
    .poll(() => query(url, `select 1 from pg_stat_activity where query = 'select pg_sleep(60)'`))
    .toHaveLength(1)
  expect(await timeOf(stop)).toBeLessThan(30_000)
  expect(await waiting).toBe('57P01')
})

test("no personal data is written to the server's log", async () => {
  const dataDir = await aStoppedCluster()
  const { url } = await start(dataDir)
  await query(url, 'create table person (email text unique, age int check (age > 0))')
  await query(url, `insert into person values ('ada@example.org', 30)`)
  const refused = [
    `insert into person values ('ada@example.org', 31)`,
    `insert into person values ('bob@example.org', -1)`,
    `select 'eve@example.org'::int`,
    `do $$ begin raise warning 'mallory@example.org'; raise exception 'trent@example.org'; end $$`,
  ]
  for (const text of refused) await expect(query(url, text)).rejects.toThrow()

  // When a session crashes, the server logs its last statement.
  const crash = query(url, `select pg_sleep(60), 'carol@example.org'`).catch(() => undefined)
  const [session] = await vi.waitFor(async () => {
    const found = await query<{ pid: number }>(
      url,
      `select pid from pg_stat_activity where query like 'select pg_sleep%'`,
    )
    expect(found).toHaveLength(1)
    return found
  }, patience)
  process.kill(session!.pid, 'SIGKILL')
  await crash
  const log = clusterIn(dataDir).log
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('was terminated by signal 9')
  expect(readFileSync(log, 'utf8')).not.toContain('example.org')
  await vi.waitFor(() => query(url, 'select 1'), { timeout: patience, interval: 100 })
})

test('the next start creates a role or database that an interrupted first start did not', async () => {
  const dataDir = await aStoppedCluster()
  const first = await start(dataDir)
  const { superuser } = inspectCluster(clusterIn(dataDir))
  const { port } = new URL(first.url)
  await query(`postgres://postgres:${superuser}@127.0.0.1:${port}/postgres`, 'drop database app')
  await query(`postgres://postgres:${superuser}@127.0.0.1:${port}/postgres`, 'drop role app')
  await first.stop()
  const second = await start(dataDir)
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(second.url).toBe(
    applicationUrl(Number(new URL(second.url).port), inspectCluster(clusterIn(dataDir))),
  )
  expect(leftovers(dataDir)).toEqual([])
})
