import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { type Account, asAccount } from '../engine/account.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { engineEnvironment } from '../engine/prepare-engine.ts'
import type { Engine } from '../engine/engine-package.ts'
import { lastPort, readPostmasterFile } from './postmaster-file.ts'
import { isPostmasterOf } from './process-identity.ts'
import { closeServerLog, lastLogLine, openServerLog } from './server-log.ts'

/** `gone` resolves when the process has ended, whoever ended it. */
export type Postmaster = { pid: number; port: number; gone: Promise<void> }

/** Starts PostgreSQL on the cluster and resolves when it accepts connections. */
export async function startPostmaster(
  cluster: Cluster,
  engine: Engine,
  account: Account | null,
): Promise<Postmaster> {
  const giveUpAt = performance.now() + 15 * SECOND
  for (;;) {
    const port = await freePort(lastPort(cluster.data))
    const outcome = await tryStart(cluster, engine, account, port)
    if ('pid' in outcome) return outcome
    if (!isPassing(outcome.reason) || performance.now() > giveUpAt) {
      throw new StartRefused(
        `PostgreSQL couldn’t start on ${cluster.data}, and nothing was changed there (${outcome.reason}). Fix the cause or restore the folder from a backup. Details are in ${cluster.log}.`,
      )
    }
    await pause(100)
  }
}

/**
 * Stops a postmaster gracefully and closes open connections. If it does not stop in time, it is killed and
 * recovers on the next start.
 */
export async function stopPostmaster(postmaster: { pid: number }, cluster: Cluster): Promise<void> {
  const { pid } = postmaster
  for (const [signal, patience] of [
    ['SIGINT', 30 * SECOND],
    ['SIGQUIT', 10 * SECOND],
  ] as const) {
    if (!isPostmasterOf(pid, cluster.data)) return
    process.kill(pid, signal)
    const giveUpAt = performance.now() + patience
    while (performance.now() < giveUpAt) {
      if (!isPostmasterOf(pid, cluster.data)) return
      await pause(10)
    }
  }
  throw new StartRefused(
    `PostgreSQL (process ${pid}) on ${cluster.data} doesn’t stop. Stop that process, then start again.`,
  )
}

/** For a postmaster that is not our child: polls until its process is gone. */
export async function watchUntilGone(pid: number, cluster: Cluster): Promise<void> {
  while (isPostmasterOf(pid, cluster.data)) await pause(500, undefined, { ref: false })
}

async function tryStart(
  cluster: Cluster,
  engine: Engine,
  account: Account | null,
  port: number,
): Promise<Postmaster | { reason: string }> {
  const { handle, startsAt } = openServerLog(cluster.log)
  const child = spawn(join(engine.directory, 'bin/postgres'), serverArguments(cluster, port), {
    ...asAccount(account),
    cwd: '/',
    env: engineEnvironment,
    stdio: ['ignore', handle, handle],
    // A separate session, so that Ctrl-C in the terminal reaches only us, and we stop the server gracefully.
    detached: true,
  })
  closeServerLog(handle)
  child.unref()
  let failure: string | null = null
  const gone = new Promise<void>((resolve) => {
    child.once('error', (error) => ((failure = error.message), resolve()))
    child.once('exit', () => ((failure ??= ''), resolve()))
  })

  const giveUpAt = performance.now() + 10 * MINUTE
  while (failure === null && performance.now() < giveUpAt) {
    const file = readPostmasterFile(cluster.data)
    if (file?.pid === child.pid && file?.isReady) return { pid: child.pid!, port, gone }
    await pause(10)
  }
  return { reason: failure || lastLogLine(cluster.log, startsAt) }
}

/** A port taken at the last moment, or processes of a killed server that have not exited yet. */
function isPassing(reason: string): boolean {
  return /could not (bind|create any TCP\/IP sockets)|pre-existing shared memory block/.test(reason)
}

/**
 * Fixed at every start and not configurable in postgresql.conf: who can connect, durability, and that no
 * personal data is logged (errors quote values and rows; `terse` omits DETAIL lines).
 */
function serverArguments(cluster: Cluster, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    hba_file: cluster.access,
    password_encryption: 'scram-sha-256',
    fsync: 'on',
    full_page_writes: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_min_duration_statement: '-1',
    log_statement: 'none',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', cluster.data, '-p', String(port), ...options]
}

/** The preferred port if it is free, or one that the kernel picks. */
async function freePort(wanted: number | null): Promise<number> {
  const server = createServer()
  const port = await new Promise<number | null>((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(wanted ?? 0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : null)
    })
  })
  await new Promise((resolve) => server.close(resolve))
  if (port !== null) return port
  if (wanted !== null) return freePort(null)
  throw new StartRefused('No port is free on 127.0.0.1. Stop other programs, or set DATABASE_URL.')
}
