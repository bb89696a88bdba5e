import { chmodSync, existsSync, lchownSync, lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '#api/platform/command-line.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { type Account, closedFolderOnTheWay } from '../engine/account.ts'

const clusterMajor = '18'

/** Files of one database cluster. Everything is in `home`, so that a cluster is created and moved as a unit. */
export type Cluster = {
  home: string
  data: string
  credentials: string
  access: string
  log: string
}

/** `superuser` is for this supervisor only; the product connects as `app`. */
export type Credentials = { superuser: string; app: string }

export function clusterIn(directory: string): Cluster {
  return clusterAt(join(directory, 'pg'))
}

export function clusterAt(home: string): Cluster {
  return {
    home,
    data: join(home, 'data'),
    credentials: join(home, 'credentials.json'),
    access: join(home, 'pg_hba.conf'),
    log: join(home, 'postgres.log'),
  }
}

export function isAbsent(cluster: Cluster): boolean {
  return !existsSync(cluster.home) || readdirSync(cluster.home).length === 0
}

/** Read-only: rejects a cluster that is damaged or of another major version, and returns its passwords. */
export function inspectCluster(cluster: Cluster): Credentials {
  const version = readOrNull(join(cluster.data, 'PG_VERSION'))?.trim()
  if (!version) {
    throw new StartRefused(
      `${cluster.home} isn’t empty but isn’t a PostgreSQL cluster (data/PG_VERSION is missing). Restore the folder from a backup, or move it away to start with an empty database.`,
    )
  }
  if (version !== clusterMajor) {
    throw new StartRefused(
      `${cluster.data} was created by PostgreSQL ${version}, and this release uses ${clusterMajor}. Run ${commandLine('db:dump', 'FILE')} with the old release, then ${commandLine('db:restore', 'FILE')} with this release and an empty DATA_DIR.`,
    )
  }
  const credentials = parseCredentials(readOrNull(cluster.credentials))
  if (credentials) return credentials
  throw new StartRefused(
    `${cluster.credentials} is missing or unreadable. Restore it from a backup of DATA_DIR (it contains the database passwords).`,
  )
}

/**
 * PostgreSQL requires ownership of its data and mode 0700. A copy made by root or from an archive has lost
 * both.
 */
export function ownCluster(cluster: Cluster, account: Account | null): void {
  const found = lstatSync(cluster.data)
  const uid = account?.uid ?? process.getuid?.()
  if (found.uid !== uid) {
    if (!account) {
      throw new StartRefused(
        `${cluster.data} belongs to another user (user ID ${found.uid}). Start as that user, or change the owner with chown -R.`,
      )
    }
    giveTo(cluster.data, account)
  }
  if (account && closedFolderOnTheWay(cluster.home, account)) chmodSync(cluster.home, 0o711)
  if ((found.mode & 0o777) !== 0o700) chmodSync(cluster.data, 0o700)
}

/** The ownership of links is changed, but they are never followed. */
function giveTo(path: string, account: Account): void {
  lchownSync(path, account.uid, account.gid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) giveTo(join(path, name), account)
}

function parseCredentials(text: string | null): Credentials | null {
  try {
    const { superuser, app } = JSON.parse(text ?? '') as Partial<Credentials>
    return superuser && app ? { superuser, app } : null
  } catch {
    return null
  }
}

/** An unreadable file counts as missing, but the message names the account. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') {
      throw new StartRefused(
        `${path} can’t be read by this user. Start as the user that created the database, or change the owner of DATA_DIR with chown -R.`,
      )
    }
    return null
  }
}
