import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findQuickStorage } from '../tests/setup/quick-storage.ts'
import { startEmbedded } from '../api/db/embedded/start-embedded.ts'

type GivenDatabase = { url: string; from: string; stop(): Promise<void> }

const installs = '/usr/lib/postgresql'
const place = process.env['TMPDIR'] ?? findQuickStorage() ?? tmpdir()

/**
 * Opens a PostgreSQL server that is reached by URL: that of TEST_DATABASE_URL, the system's, or a second embedded one.
 */
export async function openGivenDatabase(port: number): Promise<GivenDatabase> {
  const url = process.env['TEST_DATABASE_URL']
  if (url) return { url, from: 'TEST_DATABASE_URL', stop: async () => {} }
  return (await startSystems(port)) ?? (await startSecond())
}

async function startSystems(port: number): Promise<GivenDatabase | undefined> {
  const versions = existsSync(installs)
    ? readdirSync(installs).filter((name) => existsSync(join(installs, name, 'bin/initdb')))
    : []
  const version = versions.sort((a, b) => Number(b) - Number(a))[0]
  const account = accountForServer()
  if (!version || !account) return undefined
  const bin = join(installs, version, 'bin')
  const home = await mkdtemp(join(place, 'given-'))
  if (account.uid !== undefined) chownSync(home, account.uid, account.gid!)
  const cluster = join(home, 'cluster')
  spawnSync(
    join(bin, 'initdb'),
    ['-D', cluster, '-U', 'owner', '-A', 'trust', '--encoding=UTF8', '--locale=C'],
    { ...account, cwd: home },
  )
  const settings = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    `port=${port}`,
    // The data is discarded after the tests.
    '-c',
    'fsync=off',
  ]
  const server = spawn(join(bin, 'postgres'), ['-D', cluster, ...settings], {
    ...account,
    cwd: home,
    stdio: 'ignore',
  })
  const address = `127.0.0.1:${port}/postgres`
  const stop = async () => {
    await new Promise<void>((resolve) => {
      server.once('exit', () => resolve())
      server.kill('SIGINT')
    })
    await rm(home, { recursive: true, force: true })
  }
  const owner = `postgres://owner@${address}`
  if (!(await answers(owner))) {
    await stop()
    return undefined
  }
  await makePlainRole(owner)
  return { url: `postgres://tests@${address}`, from: `the system's PostgreSQL ${version}`, stop }
}

/** Creates a role as the documentation requires: no superuser, but allowed to create databases for each test file. */
async function makePlainRole(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create role tests login createdb')
  await client.query('grant all on database postgres to tests')
  await client.end()
}

/** PostgreSQL refuses to run as root. */
function accountForServer(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

async function answers(url: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return false
}

async function startSecond(): Promise<GivenDatabase> {
  const dataDir = await mkdtemp(join(place, 'given-'))
  const server = await startEmbedded({ dataDir, log: () => {} })
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url: server.url, from: 'a second embedded server', stop }
}
