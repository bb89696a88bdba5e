import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from '#api/platform/start-refused.ts'
import { type Account, closedFolderOnTheWay, isRoot, serverAccount } from '../engine/account.ts'
import { clusterIn } from './cluster.ts'

/** `directory` contains the cluster, and the engine's copy if one is needed. */
export type Place = { directory: string; account: Account | null }

const productName = (
  JSON.parse(readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8')) as {
    name: string
  }
).name

/** Creates DATA_DIR if it is missing and returns its real path. */
export function openDataDir(dataDir: string): string {
  try {
    const isNew = mkdirSync(dataDir, { recursive: true }) !== undefined
    // As root, PostgreSQL runs under another account, which must be able to traverse the folder.
    if (isNew) chmodSync(dataDir, isRoot() ? 0o711 : 0o700)
    return realpathSync(dataDir)
  } catch (error) {
    throw new StartRefused(
      `DATA_DIR ${dataDir} can’t be created (${(error as NodeJS.ErrnoException).code}). Choose a folder that this user can write to.`,
    )
  }
}

/**
 * Where the cluster is and which account runs it: DATA_DIR, unless the account that root must use for
 * PostgreSQL has no access. Then a pointer file in DATA_DIR says where it is.
 */
export function choosePlace(dataDir: string): Place {
  const pointer = readPointer(dataDir)
  if (pointer !== null) {
    refuseLostPlace(dataDir, pointer)
    return { directory: pointer, account: reachable(pointer, serverAccount(clusterIn(pointer).data)) }
  }
  const { home, data } = clusterIn(dataDir)
  const account = serverAccount(data)
  if (account === null || closedFolderOnTheWay(dataDir, account) === null)
    return { directory: dataDir, account }
  // Never abandon existing data and start with an empty database elsewhere.
  if (existsSync(home)) return { directory: dataDir, account: reachable(dataDir, account) }

  const elsewhere = join(
    '/var/lib',
    productName,
    createHash('sha256').update(dataDir).digest('hex').slice(0, 16),
  )
  makeWalkable(join('/var/lib', productName))
  makeWalkable(elsewhere)
  refuseForeignCluster(dataDir, elsewhere)
  return { directory: elsewhere, account: reachable(elsewhere, serverAccount(clusterIn(elsewhere).data)) }
}

/** The location of an existing cluster; creates nothing. */
export function knownPlace(dataDir: string): string {
  return readPointer(dataDir) ?? dataDir
}

/** Written before the cluster is created: one without a pointer belongs to a deleted DATA_DIR. */
export function rememberPlace(dataDir: string, place: Place): boolean {
  if (place.directory === dataDir || readPointer(dataDir) === place.directory) return false
  writeFileSync(pointerFile(dataDir), `${place.directory}\n`, { mode: 0o600 })
  return true
}

const pointerFile = (dataDir: string): string => join(dataDir, 'pg.elsewhere')

function readPointer(dataDir: string): string | null {
  return existsSync(pointerFile(dataDir)) ? readFileSync(pointerFile(dataDir), 'utf8').trim() : null
}

function refuseForeignCluster(dataDir: string, directory: string): void {
  const { home } = clusterIn(directory)
  if (!existsSync(home)) return
  throw new StartRefused(
    `${home} contains the database of an earlier DATA_DIR at ${dataDir}. Move that folder away to start with an empty database, or write ${directory} into ${pointerFile(dataDir)} to use it.`,
  )
}

function refuseLostPlace(dataDir: string, directory: string): void {
  if (existsSync(directory)) return
  throw new StartRefused(
    `${pointerFile(dataDir)} points to a database in ${directory}, but this user can’t find one there. Restore it, or start as root. To start with an empty database, delete that file.`,
  )
}

function reachable(directory: string, account: Account | null): Account | null {
  const closed = account === null ? null : closedFolderOnTheWay(directory, account)
  if (account === null || closed === null) return account
  throw new StartRefused(
    `The user ${account.name}, which runs PostgreSQL, can’t access ${directory}. Run chmod a+x ${closed}, start as a non-root user, or set DATABASE_URL.`,
  )
}

function makeWalkable(directory: string): void {
  if (existsSync(directory)) return
  try {
    mkdirSync(directory)
    chmodSync(directory, 0o711)
  } catch (error) {
    throw new StartRefused(
      `${directory} can’t be created (${(error as NodeJS.ErrnoException).code}). Set DATA_DIR to a folder that non-root users can access, or set DATABASE_URL.`,
    )
  }
}
