import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '#contract/platform/durations.ts'
import { openDatabase } from '../db/database.ts'
import { DatabaseClient } from '../db/database-client.ts'
import { dumpDatabase } from '../db/dump.ts'
import type { FileStore } from '../files/file-store.ts'
import { StoreFailed } from '../files/store-failed.ts'
import { isApart } from '../jobs/share-store.ts'
import { StartRefused } from '../start-refused.ts'
import { encrypt } from './age.ts'
import { backupLock } from './backup-run.queries.ts'
import {
  bindNote,
  clockTolerance,
  fingerprintOf,
  isNote,
  listStamps,
  places,
  readManifest,
  sha256,
  stampOf,
  timeOf,
  type Manifest,
  type Stored,
} from './manifest.ts'

export type BackupOf = {
  /** Direct address of the database, bypassing a pooler. */
  url: string
  files: FileStore
  masterKey: Buffer
  target: FileStore
  recipient: string
  /** In milliseconds; the newest one is always kept. */
  keep: number
  /** For the dump until it is encrypted. */
  workDir: string
  now?: Date
  /** Called once no other backup of the database is running. If it throws, nothing is copied. */
  begin?: () => Promise<void>
}

/** Another backup of the database is running. */
export class BackupBusy extends StartRefused {}

const partBytes = 16 * 1024 * 1024
const atOnce = 4
/** How far a clock set ahead may age all backups at once, in milliseconds. */
const leapMax = 7 * DAY

/**
 * Makes a backup. The database comes first, so that every file it names already exists, and erasures last, so that as
 * little erased data as possible comes back. The manifest is written at the end: an interrupted run is no backup, and
 * the next one cleans it up.
 */
export const makeBackup = (of: BackupOf): Promise<Manifest> =>
  alone(of, async () => {
    const { target, files, recipient } = of
    const stamp = stampOf(of.now ?? new Date())
    const previous = await readPrevious(of)
    requireLater(stamp, previous.stamps.at(-1))
    await clearUnfinished(target, previous.stamps)
    const { header, parts } = await storeDatabase(of, stamp)
    const all = (await listFiles(of, previous)).sort()
    const kept = await storeFiles(
      of,
      all.filter((key) => !isNote(key)),
      previous,
    )
    const erased = await storeFiles(of, (await files.listAll()).filter(isNote).sort(), previous)
    const key = await put(
      target,
      places.key(stamp),
      await encrypted(recipient, Buffer.from(of.masterKey.toString('base64'))),
    )
    const manifest: Manifest = {
      format: 1,
      stamp,
      takenAt: header.takenAt,
      migration: header.migrations.at(-1)!,
      rows: header.tables.reduce((sum, { rows }) => sum + rows, 0),
      recipient: fingerprintOf(recipient),
      database: parts,
      key,
      files: [...kept, ...erased],
    }
    const bytes = Buffer.from(JSON.stringify(manifest))
    // An attacker who can only write to the target and does not know the recipient cannot create one.
    await put(target, places.seal(stamp), await encrypted(recipient, Buffer.from(sha256(bytes))))
    await put(target, places.manifest(stamp), bytes)
    await deleteOldBackups(of, stamp, previous.stamps.at(-1))
    return manifest
  })

/** Copies only the erasure records, which are small, so that it can run often. */
export const backUpErasures = (of: BackupOf): Promise<number> =>
  alone(of, async () => {
    const previous = await readPrevious(of)
    const keys = (await listFiles(of, previous)).filter(isNote)
    return (await storeFiles(of, keys, previous)).length
  })

/**
 * A restore uses the newest by name: after a backup with a clock set ahead, all later ones would be useless.
 */
function requireLater(stamp: string, newest: string | undefined): void {
  if (!newest || newest < stamp) return
  if (newest === stamp) throw new StartRefused('A backup was already made in this second. Try again.')
  throw new StartRefused(
    `The newest backup, ${newest}, is dated in the future. Correct the system clock. If the clock was wrong when the backup was made, remove manifests/${newest} from BACKUP_TO.`,
  )
}

/** A wrong store looks like one from which everything was deleted. */
async function listFiles({ files }: BackupOf, previous: Previous): Promise<string[]> {
  const keys = await files.listAll()
  if (keys.length > 0 || previous.files.size === 0) return keys
  throw new StartRefused(
    'The file storage is empty, but earlier backups contain files. Set DATA_DIR or STORAGE_URL to the installation’s storage, or use an empty BACKUP_TO.',
  )
}

async function requireOwnStore({ url, files }: BackupOf): Promise<void> {
  const db = openDatabase(url, () => undefined)
  try {
    if (await isApart({ db, files }))
      throw new StartRefused(
        'The running application uses a different file storage. Back up with its DATA_DIR or STORAGE_URL.',
      )
  } finally {
    await db.destroy()
  }
}

/** With a wrong clock, needed backups would count as old. */
function requireRightClock(databaseTime: number): void {
  if (Math.abs(Date.now() - databaseTime) <= clockTolerance) return
  throw new StartRefused(
    'The clocks of this machine and the database differ by more than 5 minutes. Correct them and try again.',
  )
}

/** One at a time on any machine, because another one would delete what this one has not listed yet. */
async function alone<T>(of: BackupOf, work: () => Promise<T>): Promise<T> {
  const keeper = new DatabaseClient({ url: of.url })
  keeper.on('error', () => undefined)
  try {
    await keeper.connect()
    await keeper.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await keeper.query(
      `select pg_try_advisory_xact_lock(${backupLock}) as "isMine", extract(epoch from clock_timestamp())::float8 * 1000 as "time"`,
    )
    const { isMine, time } = (rows as { isMine: boolean; time: number }[])[0]!
    if (!isMine) throw new BackupBusy('Another backup of this database is running. Wait until it finishes.')
    requireRightClock(time)
    await requireOwnStore(of)
    await of.begin?.()
    return await work()
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    throw new StartRefused(
      'The backup failed and is incomplete: the target or the file storage isn’t responding, rejects requests, or is full.',
      { cause: error },
    )
  } finally {
    await keeper.end().catch(() => undefined)
  }
}

type Previous = { stamps: string[]; files: Map<string, Stored>; present: Set<string> }

/** Files are not copied again, so all backups of a target must be for one key. */
async function readPrevious({ target, recipient }: BackupOf): Promise<Previous> {
  const stamps = await listStamps(target)
  const files = new Map<string, Stored>()
  const own = fingerprintOf(recipient)
  for (const stamp of stamps) {
    const { manifest } = await readManifest(target, stamp)
    if ((manifest.recipient ?? own) !== own)
      throw new StartRefused(
        `The backup ${stamp} in BACKUP_TO was encrypted for a different key than BACKUP_RECIPIENT. Use an empty BACKUP_TO for the new key.`,
      )
    for (const each of manifest.files) files.set(each.name, each)
  }
  const present = new Set((await target.listAll()).filter((name) => name.startsWith('files/')))
  return { stamps, files, present }
}

async function storeDatabase({ url, target, recipient, workDir }: BackupOf, stamp: string) {
  const folder = join(workDir, 'backup-unfinished')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const file = join(folder, 'database.dump')
    const header = await dumpDatabase(url, file)
    const parts: Stored[] = []
    let waiting: Buffer[] = []
    let length = 0
    const flush = async () => {
      parts.push(await put(target, places.part(stamp, parts.length + 1), Buffer.concat(waiting)))
      waiting = []
      length = 0
    }
    for await (const chunk of encrypt(recipient, createReadStream(file) as AsyncIterable<Buffer>)) {
      waiting.push(chunk)
      length += chunk.length
      if (length >= partBytes) await flush()
    }
    if (length > 0) await flush()
    return { header, parts }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Files never change, so those listed in an earlier backup and still present are not copied again. */
async function storeFiles(
  of: BackupOf,
  keys: readonly string[],
  { files, present }: Previous,
): Promise<Stored[]> {
  const stored: Stored[] = []
  const queue = [...keys]
  const next = async (): Promise<void> => {
    for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
      const known = present.has(places.file(key)) ? files.get(key) : undefined
      const entry = known ?? (await storeFile(of, key))
      if (entry) stored.push(entry)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next))
  return stored
}

/** Undefined if it was deleted meanwhile, as it would be after a restore of this moment. */
async function storeFile({ files, target, recipient }: BackupOf, key: string): Promise<Stored | undefined> {
  const bytes = await files.get(key)
  if (!bytes) return undefined
  const told = isNote(key) ? bindNote(key, bytes) : bytes
  return { ...(await put(target, places.file(key), await encrypted(recipient, told))), name: key }
}

async function put(target: FileStore, place: string, bytes: Buffer): Promise<Stored> {
  await target.put(place, bytes)
  return { name: place, bytes: bytes.length, sha256: sha256(bytes) }
}

export async function encrypted(recipient: string, bytes: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of encrypt(recipient, once(bytes))) parts.push(part)
  return Buffer.concat(parts)
}

// eslint-disable-next-line @typescript-eslint/require-await -- a source of bytes that are there
async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** Left by an interrupted backup; nobody else is running one. */
async function clearUnfinished(target: FileStore, stamps: readonly string[]): Promise<void> {
  const whole = new Set(stamps)
  const stampIn = (name: string) => /\/(\d{4}-\d\d-\d\dt\d\d-\d\d-\d\dz)/.exec(name)?.[1]
  for (const folder of ['database', 'keys', 'seals'])
    for (const name of await target.list(folder)) {
      const stamp = stampIn(name)
      if (stamp && !whole.has(stamp)) await target.remove(name)
    }
}

/**
 * First the manifests, because a half-deleted backup is none. Then files that no manifest lists; erasure
 * records are kept forever.
 */
async function deleteOldBackups(of: BackupOf, newest: string, before = newest): Promise<void> {
  const { target, keep, now = new Date() } = of
  const stamps = await listStamps(target)
  const until = Math.min(now.getTime(), timeOf(before) + leapMax) - keep
  const old = stamps.filter((stamp) => stamp !== newest && timeOf(stamp) < until)
  if (old.length === 0) return
  for (const stamp of old) await target.remove(places.manifest(stamp))
  const left = stamps.filter((stamp) => !old.includes(stamp))
  await clearUnfinished(target, left)
  const { files, present } = await readPrevious(of)
  for (const name of present) {
    const key = name.slice(places.file('').length)
    if (!files.has(key) && !isNote(key)) await target.remove(name)
  }
}
