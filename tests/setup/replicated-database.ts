import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { findEngine } from '#api/platform/db/embedded/engine/engine-package.ts'
import { freePort } from './start-product.ts'

/** A PostgreSQL server as an operator runs it. */
export type DatabaseServer = { port: number; url: string; process: ChildProcess; home: string }

type Account = { uid?: number; gid?: number }

/** Debian's binaries if they are installed, otherwise those of the package. */
export function findBinaries(): { bin: string; from: string } {
  const installs = '/usr/lib/postgresql'
  const versions = existsSync(installs) ? readdirSync(installs) : []
  const version = versions
    .filter((name) => existsSync(join(installs, name, 'bin/initdb')))
    .sort((a, b) => Number(b) - Number(a))[0]
  return version
    ? { bin: join(installs, version, 'bin'), from: `the system's PostgreSQL ${version}` }
    : { bin: join(findEngine().directory, 'bin'), from: 'the PostgreSQL of the package' }
}

/** PostgreSQL refuses to run as root. */
export function accountOfServer(): Account {
  if (process.getuid?.() !== 0) return {}
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line =
    lines.find((each) => each.startsWith('postgres:')) ?? lines.find((each) => each.startsWith('nobody:'))
  const [, , uid, gid] = line!.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

const own = (path: string, account: Account) => {
  if (account.uid !== undefined) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, path])
}

/** Creates a cluster whose superuser `postgres` needs no password. */
function createCluster(bin: string, home: string): void {
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', home, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C'],
    { ...accountOfServer(), cwd: dirname(home), encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(made.stderr)
}

function launch(bin: string, home: string, port: number, settings: readonly string[]): ChildProcess {
  const options = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
  return spawn(join(bin, 'postgres'), ['-D', home, ...options.flatMap((each) => ['-c', each])], {
    ...accountOfServer(),
    cwd: dirname(home),
    stdio: 'ignore',
  })
}

/**
 * Starts one server with the given settings, such as `fsync=off`, and an empty database `coin` owned by the role
 * `coin`.
 */
export async function startServerWith(
  settings: readonly string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const { bin } = findBinaries()
  const { uid, gid } = accountOfServer()
  const folder = await mkdtemp(join(tmpdir(), 'server-'))
  if (uid !== undefined) chownSync(folder, uid, gid!)
  createCluster(bin, join(folder, 'data'))
  const port = await freePort()
  const server = launch(bin, join(folder, 'data'), port, settings)
  const admin = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilAnswers(admin, server)
  for (const statement of ['create role coin login', 'create database coin owner coin'])
    await ask(admin, statement)
  return {
    url: `postgres://coin@127.0.0.1:${port}/coin`,
    async stop() {
      await end(server, 'SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a primary and its synchronous replica: acknowledged writes are on both. */
export async function startReplicated(): Promise<{
  primary: DatabaseServer
  replica: DatabaseServer
  from: string
  /** URL of the database `coin` on both servers. */
  url: string
  start(home: string, port: number, settings?: readonly string[]): Promise<DatabaseServer>
  stop(): Promise<void>
}> {
  const { bin, from } = findBinaries()
  const account = accountOfServer()
  const folder = await mkdtemp(join(tmpdir(), 'replicated-'))
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
  const running = new Set<ChildProcess>()

  async function start(
    home: string,
    port: number,
    settings: readonly string[] = [],
  ): Promise<DatabaseServer> {
    const process = launch(bin, home, port, settings)
    running.add(process)
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    await untilAnswers(url, process)
    return { port, url, process, home }
  }

  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  createCluster(bin, one)
  writeFileSync(
    join(one, 'pg_hba.conf'),
    'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
  )
  const ports = [await freePort(), await freePort()] as const
  const first = await start(one, ports[0])
  for (const statement of ['create role coin login', 'create database coin owner coin'])
    await ask(first.url, statement)
  await end(first.process, 'SIGINT')
  cpSync(one, other, { recursive: true })
  chmodSync(other, 0o700)
  writeFileSync(join(other, 'standby.signal'), '')
  own(other, account)
  const primary = await start(one, ports[0], ['synchronous_standby_names=*'])
  const replica = await start(other, ports[1], [
    `primary_conninfo=host=127.0.0.1 port=${ports[0]} user=postgres application_name=replica`,
  ])
  return {
    primary,
    replica,
    from,
    url: `postgres://coin@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/coin`,
    start,
    async stop() {
      for (const server of running) {
        if (server.exitCode === null && server.signalCode === null) {
          signalAll(server, 'SIGCONT')
          await end(server, 'SIGQUIT')
        }
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Sends a signal to a server and all of its processes, each of which has a process group of its own. */
export function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  for (const each of [pid!, ...childrenOf(pid!)])
    try {
      process.kill(each, signal)
    } catch {
      // The process has already ended.
    }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export const end = (server: ChildProcess, signal: NodeJS.Signals): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill(signal)
  })

export async function ask<Row = unknown>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}

async function untilAnswers(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`a database server ended with ${server.exitCode}`)
    if (await ask(url, 'select 1').then(Boolean, () => false)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
