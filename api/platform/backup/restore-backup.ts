import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { verifyDump } from '../db/dump-file.ts'
import { requireEmptyDatabase, restoreDatabase } from '../db/restore.ts'
import type { FileStore } from '../files/file-store.ts'
import { StartRefused } from '../start-refused.ts'
import { commandLine } from '../command-line.ts'
import { AgeFailed, decrypt } from './age.ts'
import {
  clockTolerance,
  erasedFolder,
  isNote,
  listStamps,
  places,
  readManifest,
  readStored,
  sha256,
  timeOf,
  unbindNote,
  type Manifest,
  type Stored,
} from './manifest.ts'

type RestoreOf = {
  target: FileStore
  identity: string
  /** The newest by default. */
  stamp?: string | undefined
  workDir: string
  /** Ignores unreadable erasure records; otherwise they are listed by name, and nothing is restored. */
  skipsBrokenNotes?: boolean
}

type Into = {
  url: string
  files: FileStore
  /** Rejects or stores the key before anything is written. */
  takeKey(key: Buffer): void
}

/**
 * Restores the key, the files, and then the database in one transaction; an interrupted restore can be
 * repeated. Returns what was restored.
 */
export async function restoreBackup(from: RestoreOf, into: Into): Promise<Manifest> {
  const { target, identity } = from
  const { manifest } = await readSealed(from)
  await requireEmptyDatabase(into.url)
  const { notes, broken } = await readNotes(from, manifest)
  if (!from.skipsBrokenNotes) requireNoneBroken(broken)
  return withDump(from, manifest, async (file) => {
    await verifyDump(file)
    into.takeKey(await readKey(from, manifest))
    for (const stored of manifest.files.filter(({ name }) => !isNote(name))) {
      const bytes = await readStored(target, places.file(stored.name), stored)
      await into.files.put(stored.name, await decrypted(identity, bytes, stored.name))
    }
    // Existing files are newer or equal.
    const there = new Set(await into.files.listAll())
    for (const [key, note] of notes) if (!there.has(key)) await into.files.put(key, note)
    await restoreDatabase(into.url, file)
    return manifest
  })
}

type Notes = { notes: Map<string, Buffer>; broken: string[] }

/** From all backups: whoever was erased after this one was taken stays erased. */
async function readNotes({ target, identity }: RestoreOf, { files }: Manifest): Promise<Notes> {
  const listed = new Map(files.filter(({ name }) => isNote(name)).map((each) => [each.name, each]))
  const folder = places.file(erasedFolder)
  const present = (await target.listAll())
    .filter((name) => name.startsWith(folder))
    .map((name) => name.slice(places.file('').length))
  const notes = new Map<string, Buffer>()
  const broken: string[] = []
  for (const key of new Set([...listed.keys(), ...present])) {
    const note = await readNote({ target, identity }, key, listed.get(key))
    if (note) notes.set(key, note)
    else broken.push(key)
  }
  return { notes, broken }
}

/**
 * Undefined if it can't be opened, or was created for another name by someone who can only write to the target.
 */
async function readNote(
  { target, identity }: Pick<RestoreOf, 'target' | 'identity'>,
  key: string,
  listed: Stored | undefined,
): Promise<Buffer | undefined> {
  const place = places.file(key)
  try {
    const bytes = listed ? await readStored(target, place, listed) : await target.get(place)
    return bytes && unbindNote(key, await decrypted(identity, bytes, key))
  } catch (error) {
    if (error instanceof StartRefused) return undefined
    throw error
  }
}

function requireNoneBroken(broken: readonly string[]): void {
  const [first, ...more] = broken
  if (first === undefined) return
  const others = more.length > 0 ? ` and ${more.length} more` : ''
  throw new StartRefused(
    `The erasure record ${first}${others} in the backup can’t be decrypted or belongs to another name. Restoring without it could bring back erased data. Check BACKUP_IDENTITY, or run ${commandLine('restore', '--without-broken-notes')}.`,
  )
}

/**
 * Reads all parts of a backup and compares them with the manifest. With the identity it also decrypts
 * everything, and reads the dump to its end.
 */
export async function verifyBackup(
  from: Omit<RestoreOf, 'identity'> & { identity: string | undefined },
): Promise<Manifest> {
  const { target, identity } = from
  const stamp = await chooseStamp(from)
  const { manifest } = await readManifest(target, stamp)
  for (const part of [...manifest.database, manifest.key]) await readStored(target, part.name, part)
  for (const file of manifest.files) {
    const bytes = await readStored(target, places.file(file.name), file)
    if (identity) await decrypted(identity, bytes, file.name)
  }
  if (identity) {
    const sealed = { ...from, identity, stamp }
    await readSealed(sealed)
    await readKey(sealed, manifest)
    requireNoneBroken((await readNotes(sealed, manifest)).broken)
    await withDump(sealed, manifest, verifyDump)
  }
  return manifest
}

async function chooseStamp({ target, stamp }: Pick<RestoreOf, 'target' | 'stamp'>): Promise<string> {
  if (stamp) return stamp
  const newest = (await listStamps(target)).at(-1)
  if (!newest) throw new StartRefused('There is no complete backup in BACKUP_TO. Check the path or bucket.')
  if (timeOf(newest) > Date.now() + clockTolerance)
    throw new StartRefused(
      `The newest backup, ${newest}, is dated in the future, so a clock is or was wrong. Name the backup to restore.`,
    )
  return newest
}

/** The manifest, if its author knew the recipient. */
async function readSealed(from: RestoreOf): Promise<{ manifest: Manifest }> {
  const stamp = await chooseStamp(from)
  const { manifest, bytes } = await readManifest(from.target, stamp)
  const seal = await from.target.get(places.seal(stamp))
  const said = seal && (await decrypted(from.identity, seal, places.seal(stamp))).toString()
  if (said !== sha256(bytes))
    throw new StartRefused(
      `The manifest of the backup ${stamp} doesn’t match its encrypted copy. Use a different backup.`,
    )
  return { manifest }
}

async function readKey({ target, identity }: RestoreOf, { key }: Manifest): Promise<Buffer> {
  const text = (await decrypted(identity, await readStored(target, key.name, key), key.name)).toString()
  return Buffer.from(text, 'base64')
}

async function withDump<T>(
  from: RestoreOf,
  { database }: Manifest,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const folder = join(from.workDir, 'restore-unfinished')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'database.dump')
  const parts = async function* () {
    for (const part of database) yield await readStored(from.target, part.name, part)
  }
  try {
    await explaining('The dump', () =>
      pipeline(decrypt(from.identity, parts()), createWriteStream(file, { mode: 0o600 })),
    )
    return await work(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function decrypted(identity: string, bytes: Buffer, name: string): Promise<Buffer> {
  const source = async function* () {
    yield await Promise.resolve(bytes)
  }
  const parts: Buffer[] = []
  await explaining(name, async () => {
    for await (const part of decrypt(identity, source())) parts.push(part)
  })
  return Buffer.concat(parts)
}

async function explaining(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AgeFailed)) throw error
    throw new StartRefused(
      `${name} of the backup ${error.message}: check BACKUP_IDENTITY, or use a different backup.`,
    )
  }
}
