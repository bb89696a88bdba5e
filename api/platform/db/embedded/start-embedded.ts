import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MINUTE } from '#contract/platform/durations.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { applicationUrl, ensureApplicationDatabase } from './application-database.ts'
import {
  type Cluster,
  type Credentials,
  clusterIn,
  inspectCluster,
  isAbsent,
  ownCluster,
} from './cluster/cluster.ts'
import { createCluster, removeUnfinished, writeAccessRules } from './cluster/create-cluster.ts'
import { type Place, choosePlace, openDataDir, rememberPlace } from './cluster/place.ts'
import { type Engine, findEngine } from './engine/engine-package.ts'
import { prepareEngine } from './engine/prepare-engine.ts'
import { readPostmasterFile, removePostmasterFile } from './postmaster/postmaster-file.ts'
import { type Postmaster, startPostmaster, stopPostmaster, watchUntilGone } from './postmaster/postmaster.ts'
import { findRunningServer } from './postmaster/running-server.ts'
import { cutLongLog } from './postmaster/server-log.ts'

export type EmbeddedServer = {
  /**
   * Address for the role `app`, which owns the database `app`. The port stays the same across restarts while it
   * is free.
   */
  url: string
  /** A server left running by a killed process was taken over. */
  adopted: boolean
  /** Resolves when the server has ended without `stop`; `startEmbedded` may then be called again. */
  exited: Promise<void>
  /** Stops the server gracefully and releases DATA_DIR. Repeated calls wait for the same stop. */
  stop(): Promise<void>
}

type Log = (event: string, detail?: object) => void

type StartLock = { release(): void }

const sqliteBusy = 5

/**
 * One product process per data directory. SQLite's exclusive lock is the kernel's record lock, which ends with
 * the process in any case, so it is never stale. Nothing else in this process may open the file: closing any
 * handle on it would drop the lock (POSIX `fcntl`).
 */
function acquireStartLock(directory: string): StartLock {
  const path = join(directory, 'pg.lock')
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    // In memory, because a killed process would leave a journal file behind.
    file.exec('pragma journal_mode = memory; begin exclusive')
    chmodSync(path, 0o600)
  } catch (error) {
    file?.close()
    throw new StartRefused(
      (error as { errcode?: number }).errcode === sqliteBusy
        ? `Another process is already using ${directory}. Stop it, choose another DATA_DIR, or give all instances the same DATABASE_URL.`
        : `${path} can’t be locked (${(error as Error).message}). Give this user write access to it.`,
    )
  }
  const held = file
  return { release: () => held.isOpen && held.close() }
}

/**
 * Runs PostgreSQL in DATA_DIR for this process only: creates the cluster at the first start, takes over a
 * server whose process was killed, or starts one. Rejects with `StartRefused` if that cannot be done safely.
 */
export async function startEmbedded(options: { dataDir: string; log: Log }): Promise<EmbeddedServer> {
  const packaged = findEngine()
  const dataDir = openDataDir(options.dataDir)
  const locks = [acquireStartLock(dataDir)]
  try {
    const place = choosePlace(dataDir)
    // Two copies of one DATA_DIR may point to the same cluster elsewhere.
    if (place.directory !== dataDir) locks.push(acquireStartLock(place.directory))
    if (rememberPlace(dataDir, place)) {
      options.log('database.kept_elsewhere', { dataDir, directory: place.directory })
    }

    const cluster = clusterIn(place.directory)
    const existing = isAbsent(cluster) ? null : inspectCluster(cluster)
    const engine = prepareEngine(packaged, place.directory, place.account)
    const credentials = existing ?? (await createCluster(cluster, engine, place.account))
    removeUnfinished(place.directory)
    if (!existing) options.log('database.created', { directory: cluster.home, version: engine.version })
    return await run({ cluster, credentials, engine, place, locks, log: options.log })
  } catch (error) {
    releaseAll(locks)
    if (error instanceof StartRefused) throw error
    throw new StartRefused(
      `The embedded database in ${dataDir} can’t be used (${(error as Error).message}). Check that the folder is writable and the disk isn’t full, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

type Prepared = {
  cluster: Cluster
  credentials: Credentials
  engine: Engine
  place: Place
  locks: StartLock[]
  log: Log
}

async function run({ cluster, credentials, engine, place, locks, log }: Prepared): Promise<EmbeddedServer> {
  const adopted = await adopt(cluster, credentials, engine, log)
  const postmaster = adopted ?? (await startFresh(cluster, engine, place, log))
  const { pid, port } = postmaster
  try {
    await ensureApplicationDatabase(port, credentials)
  } catch (error) {
    await stopPostmaster(postmaster, cluster)
    throw error
  }
  log(adopted ? 'database.adopted' : 'database.started', { pid, port, version: engine.version })
  return {
    url: applicationUrl(port, credentials),
    adopted: adopted !== null,
    ...supervise(postmaster, cluster, locks, log),
  }
}

/**
 * We hold the lock, so the process that started a running server is gone, and we can use and stop that server.
 */
async function adopt(
  cluster: Cluster,
  credentials: Credentials,
  engine: Engine,
  log: Log,
): Promise<Postmaster | null> {
  const running = await findRunningServer(cluster, credentials)
  if (!running) return null
  if (running.version !== engine.version) {
    log('database.replaced', { from: running.version, to: engine.version })
    await stopPostmaster(running, cluster)
    return null
  }
  const { pid, port } = running
  return { pid, port, gone: watchUntilGone(pid, cluster) }
}

async function startFresh(cluster: Cluster, engine: Engine, place: Place, log: Log): Promise<Postmaster> {
  const stale = readPostmasterFile(cluster.data)
  if (stale) {
    // PostgreSQL would trust the number if any process of its account had it now.
    removePostmasterFile(cluster.data)
    log('database.recovering', { reason: 'the previous server was killed', pid: stale.pid })
  }
  ownCluster(cluster, place.account)
  writeAccessRules(cluster)
  return startPostmaster(cluster, engine, place.account)
}

function supervise(
  postmaster: Postmaster,
  cluster: Cluster,
  locks: StartLock[],
  log: Log,
): Pick<EmbeddedServer, 'exited' | 'stop'> {
  let stopping: Promise<void> | null = null
  const logWatch = setInterval(() => cutLongLog(cluster.log), 10 * MINUTE).unref()

  const exited = new Promise<void>((resolve) => {
    void postmaster.gone.then(() => {
      clearInterval(logWatch)
      if (stopping) return
      releaseAll(locks)
      log('database.exited', { pid: postmaster.pid })
      resolve()
    })
  })

  const stop = (): Promise<void> => {
    stopping ??= stopPostmaster(postmaster, cluster).then(() => {
      releaseAll(locks)
      log('database.stopped', { pid: postmaster.pid })
    })
    return stopping
  }
  return { exited, stop }
}

function releaseAll(locks: StartLock[]): void {
  for (const lock of locks) lock.release()
}
