import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import './servers-in-path.ts'
import { pause } from './live-traffic.ts'
import { readSettings } from './compose-file.ts'
import { accountOfServer, ask, end, findBinaries } from './replicated-database.ts'
import { freePort } from './start-product.ts'

const programs = ['etcd', 'patroni', 'haproxy', 'pgbouncer']
const nodes = ['db1', 'db2', 'db3'] as const
export type NodeName = (typeof nodes)[number]

/** The programs of deploy/ha that aren't installed on this machine. */
export const missingPrograms = (): string[] =>
  programs.filter((program) => spawnSync('which', [program]).status !== 0)

const shipped = (name: string) => readFileSync(new URL(`../../deploy/ha/${name}`, import.meta.url), 'utf8')

/** Addresses that only this machine can reach stand for those of the three database machines. */
const onLoopback = (text: string) => text.replaceAll('10.0.0.', '127.0.0.')

const passwordOf: Record<string, string> = { PASSWORD1: 'rest', PASSWORD2: 'super', PASSWORD3: 'replica' }

/** The settings of one machine: the shipped file is that of db1. */
const settingsOf = (file: string, node: NodeName): Record<string, string> => {
  const own = Object.entries(readSettings(onLoopback(shipped(file)))).map(([name, value]) => {
    const isShared = name === 'ETCD_INITIAL_CLUSTER'
    const here = isShared ? value : value.replaceAll('127.0.0.11', addressOf(node)).replaceAll('db1', node)
    return [name, passwordOf[here] ?? here]
  })
  return Object.fromEntries(own) as Record<string, string>
}

const addressOf = (node: NodeName) => `127.0.0.1${node.at(-1)}`

type Running = Map<string, ChildProcess>

/**
 * Three database machines with etcd and Patroni, and HAProxy and PgBouncer in front of them, from Debian's packages and
 * the files of deploy/ha. Only addresses, ports, and folders differ.
 */
export async function startPatroniCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'patroni-'))
  const account = accountOfServer()
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
  const running: Running = new Map()
  const launch = (name: string, command: string, words: string[], settings: Record<string, string> = {}) => {
    const env = { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', ...settings }
    const log = join(folder, `${name}.log`)
    const child = spawn(
      'sh',
      ['-c', 'log=$1; shift; exec "$@" >>"$log" 2>&1', 'sh', log, command, ...words],
      {
        ...account,
        cwd: folder,
        env,
        stdio: 'ignore',
      },
    )
    running.set(name, child)
    return child
  }
  const startNode = (node: NodeName) => startPatroni(node, folder, launch)
  for (const node of nodes) {
    const place = makeFolder(folder, node)
    launch(`etcd-${node}`, 'etcd', [], { ...settingsOf('etcd', node), ETCD_DATA_DIR: join(place, 'etcd') })
  }
  for (const node of nodes) startNode(node)
  const ports = { leader: await freePort(), pooled: await freePort(), replicas: await freePort() }
  startProxies(folder, ports, launch)
  const admin = `postgres://postgres:super@127.0.0.1:${ports.leader}/postgres`
  await untilTrue(() => ask(admin, 'select 1').then(Boolean, () => false))
  for (const statement of [
    `create role coin login password 'coin'`,
    `alter role coin set statement_timeout = '5s'`,
    `alter role coin set idle_in_transaction_session_timeout = '10s'`,
    'create database coin owner coin',
  ])
    await ask(admin, statement)
  await untilTrue(async () => (await standbys()).some((state) => state === 'sync'))

  async function standbys(): Promise<string[]> {
    const rows = await ask<{ state: string }>(
      admin,
      'select sync_state as state from pg_stat_replication',
    ).catch(() => [])
    return rows.map(({ state }) => state)
  }

  return {
    /** Through PgBouncer and HAProxy. */
    pooledUrl: `postgres://coin:coin@127.0.0.1:${ports.pooled}/coin`,
    /** Through HAProxy. */
    directUrl: `postgres://coin:coin@127.0.0.1:${ports.leader}/coin`,
    /** Through HAProxy, to the machines that aren't the leader. */
    replicaUrl: `postgres://coin:coin@127.0.0.1:${ports.replicas}/coin`,
    leader: findLeader,
    /** Ends Patroni and PostgreSQL of a machine without warning, as a loss of power does. */
    kill: (node: NodeName) => killNode(node, folder, running),
    start: startNode,
    switchOver: (from: NodeName) => askToSwitch(from),
    /** Waits until two replicas follow the leader, and Patroni would promote one of them without a loss. */
    whole: () =>
      untilTrue(async () => (await standbys()).length === 2 && (await hasSyncStandby(await findLeader()))),
    async stop() {
      for (const node of nodes) killNode(node, folder, running)
      await Promise.all([...running.values()].map((child) => end(child, 'SIGKILL')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Launch = (
  name: string,
  command: string,
  words: string[],
  settings?: Record<string, string>,
) => ChildProcess

function makeFolder(folder: string, node: NodeName): string {
  const { uid, gid } = accountOfServer()
  const place = join(folder, node)
  mkdirSync(place, { recursive: true })
  if (uid !== undefined) chownSync(place, uid, gid!)
  return place
}

function startPatroni(node: NodeName, folder: string, launch: Launch): void {
  const place = makeFolder(folder, node)
  const file = join(place, 'patroni.yml')
  const own = onLoopback(shipped('patroni.yml'))
    .replace('/usr/lib/postgresql/15/bin', findBinaries().bin)
    .replace('/var/lib/postgresql/15/coin', join(place, 'data'))
    .replace('/var/run/postgresql', place)
  writeFileSync(file, own)
  launch(`patroni-${node}`, 'patroni', [file], settingsOf('patroni_env.conf', node))
}

function startProxies(
  folder: string,
  ports: { leader: number; pooled: number; replicas: number },
  launch: Launch,
): void {
  const haproxy = onLoopback(shipped('haproxy.cfg'))
    .replaceAll('127.0.0.1:5000', `127.0.0.1:${ports.leader}`)
    .replaceAll('127.0.0.1:5001', `127.0.0.1:${ports.replicas}`)
  writeFileSync(join(folder, 'haproxy.cfg'), haproxy)
  launch('haproxy', 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
  const pgbouncer = shipped('pgbouncer.ini')
    .replace('port=5000', `port=${ports.leader}`)
    .replace('listen_port = 6432', `listen_port = ${ports.pooled}`)
    .replace('/etc/pgbouncer/userlist.txt', join(folder, 'userlist.txt'))
    .replaceAll(/\/var\/(log|run)\/postgresql/g, folder)
  writeFileSync(join(folder, 'pgbouncer.ini'), pgbouncer)
  writeFileSync(join(folder, 'userlist.txt'), '"coin" "coin"\n')
  launch('pgbouncer', 'pgbouncer', [join(folder, 'pgbouncer.ini')])
}

async function findLeader(): Promise<NodeName> {
  for (;;) {
    for (const node of nodes) {
      const isLeader = await fetch(`http://${addressOf(node)}:8008/primary`).then(
        ({ status }) => status === 200,
        () => false,
      )
      if (isLeader) return node
    }
    await pause(100)
  }
}

/** What Patroni goes by. It knows a synchronous replica later than PostgreSQL. */
const hasSyncStandby = (node: NodeName): Promise<boolean> =>
  fetch(`http://${addressOf(node)}:8008/cluster`)
    .then((response) => response.json() as Promise<{ members: { role: string }[] }>)
    .then(
      ({ members }) => members.some(({ role }) => role === 'sync_standby'),
      () => false,
    )

function killNode(node: NodeName, folder: string, running: Running): void {
  running.get(`patroni-${node}`)?.kill('SIGKILL')
  let pid: number
  try {
    pid = Number(readFileSync(join(folder, node, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return
  }
  // PostgreSQL's processes notice by themselves that their parent has ended.
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It had already ended.
  }
}

async function askToSwitch(from: NodeName): Promise<void> {
  const credentials = Buffer.from('patroni:rest').toString('base64')
  const answer = await fetch(`http://${addressOf(from)}:8008/switchover`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    body: JSON.stringify({ leader: from }),
  })
  if (!answer.ok) throw new Error(`the switch-over was refused: ${await answer.text()}`)
}

async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(200)
}
