import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StartRefused } from '#api/platform/start-refused.ts'
import { type Account, asAccount } from '../engine/account.ts'
import { type Cluster, type Credentials, clusterAt } from './cluster.ts'
import { engineEnvironment } from '../engine/prepare-engine.ts'
import type { Engine } from '../engine/engine-package.ts'

/**
 * Creates a new cluster in a sibling folder and renames it into place, so that an interrupted start leaves
 * nothing that looks like a database. Each attempt has its own folder, because the `initdb` of a killed start
 * may still be writing.
 */
export async function createCluster(
  cluster: Cluster,
  engine: Engine,
  account: Account | null,
): Promise<Credentials> {
  const unfinished = clusterAt(mkdtempSync(`${cluster.home}.new-`))
  try {
    chmodSync(unfinished.home, account ? 0o711 : 0o700)
    const credentials = { superuser: newPassword(), app: newPassword() }
    await initdb(unfinished, engine, account, credentials.superuser)
    writeFileSync(unfinished.credentials, `${JSON.stringify(credentials)}\n`, { mode: 0o600, flush: true })
    flushFolder(unfinished.home)
    renameSync(unfinished.home, cluster.home)
    flushFolder(dirname(cluster.home))
    return credentials
  } catch (error) {
    rmSync(unfinished.home, { recursive: true, force: true })
    throw error
  }
}

/**
 * Removes folders left by killed starts. One that an orphaned `initdb` still writes to is left for the next
 * start.
 */
export function removeUnfinished(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith('pg.new-')) continue
    try {
      rmSync(join(directory, name), { recursive: true, force: true })
    } catch {
      continue
    }
  }
}

async function initdb(
  cluster: Cluster,
  engine: Engine,
  account: Account | null,
  password: string,
): Promise<void> {
  const passwordFile = join(cluster.home, 'superuser-password')
  mkdirSync(cluster.data, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) for (const path of [cluster.data, passwordFile]) chownSync(path, account.uid, account.gid)

  const child = spawn(
    join(engine.directory, 'bin/initdb'),
    [
      `--pgdata=${cluster.data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // Written to postgresql.conf, where an operator can change them; the rest is fixed at every start.
      '--set=shared_buffers=128MB',
      '--set=max_connections=100',
    ],
    { ...asAccount(account), cwd: '/', env: engineEnvironment, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'close').catch((error: Error) => [error.message])
  const [said, [outcome, signal]] = await Promise.all([text(child.stderr).catch(() => ''), ended])
  rmSync(passwordFile)
  if (outcome === 0) return
  const reason = signal ? `initdb was stopped by ${signal}` : said.match(/(?:error|FATAL|PANIC): +(.*)/)?.[1]
  throw new StartRefused(
    `The database couldn’t be created in ${dirname(cluster.home)} (${reason ?? outcome}). Check that the folder is writable and the disk has 100 MB free, then start again.`,
  )
}

/** Allows only loopback with a password. Rewritten at every start, and never through a symbolic link. */
export function writeAccessRules(cluster: Cluster): void {
  rmSync(cluster.access, { force: true })
  writeFileSync(cluster.access, 'host all all 127.0.0.1/32 scram-sha-256\n', { flag: 'wx' })
  chmodSync(cluster.access, 0o644)
}

const newPassword = (): string => randomBytes(24).toString('hex')

function flushFolder(directory: string): void {
  const folder = openSync(directory, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
