import { createHash } from 'node:crypto'
import { MINUTE } from '#contract/platform/durations.ts'
import type { FileStore } from '../files/file-store.ts'
import { StartRefused } from '../start-refused.ts'
import { commandLine } from '../command-line.ts'

/** One object in the target. */
export type Stored = { name: string; bytes: number; sha256: string }

/**
 * The contents of a backup. Written last: without it there is no backup. It contains IDs, sizes, and hashes,
 * but no data.
 */
export type Manifest = {
  format: 1
  stamp: string
  takenAt: string
  migration: string
  rows: number
  /** A fingerprint of the recipient key; missing in the first backups. */
  recipient?: string
  /** One stream, in parts. */
  database: Stored[]
  key: Stored
  /** By key in the file store. Stored once for all backups. */
  files: Stored[]
}

/** Paths of a backup's parts in the target. */
export const places = {
  manifest: (stamp: string) => `manifests/${stamp}`,
  seal: (stamp: string) => `seals/${stamp}`,
  key: (stamp: string) => `keys/${stamp}`,
  part: (stamp: string, n: number) => `database/${stamp}-${String(n).padStart(5, '0')}`,
  file: (key: string) => `files/${key}`,
}
export const erasedFolder = 'erased/'

/** The total size of its parts in the target. */
export const bytesOf = ({ database, key, files }: Manifest): number =>
  [...database, key, ...files].reduce((sum, { bytes }) => sum + bytes, 0)

/** Reveals nothing that would help to encrypt for it. */
export const fingerprintOf = (recipient: string): string =>
  sha256(Buffer.from(recipient.toLowerCase())).slice(0, 16)

/** A note contains its name inside the encrypted part, so that a copy under another name erases nobody. */
export const bindNote = (key: string, note: Buffer): Buffer => Buffer.concat([Buffer.from(`${key}\n`), note])

/** Undefined if it was created for another name. */
export function unbindNote(key: string, bound: Buffer): Buffer | undefined {
  const name = Buffer.from(`${key}\n`)
  return bound.subarray(0, name.length).equals(name) ? bound.subarray(name.length) : undefined
}

export const isNote = (key: string): boolean => key.startsWith(erasedFolder)

/** More than the difference between maintained clocks. */
export const clockTolerance = 5 * MINUTE

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Sorts in chronological order. */
export const stampOf = (time: Date): string =>
  time.toISOString().slice(0, 19).toLowerCase().replaceAll(':', '-') + 'z'

export const timeOf = (stamp: string): number =>
  Date.parse(stamp.toUpperCase().replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, 'T$1:$2:$3Z'))

/** Complete backups, oldest first. */
export async function listStamps(target: FileStore): Promise<string[]> {
  const folder = 'manifests/'
  return (await target.list('manifests')).map((name) => name.slice(folder.length)).sort()
}

export async function readManifest(
  target: FileStore,
  stamp: string,
): Promise<{ manifest: Manifest; bytes: Buffer }> {
  const bytes = await target.get(places.manifest(stamp))
  if (!bytes)
    throw new StartRefused(
      `There is no complete backup ${stamp}. Run ${commandLine('backup', 'list')} to see all backups.`,
    )
  try {
    const manifest = JSON.parse(bytes.toString('utf8')) as Manifest
    if (manifest.format === 1 && manifest.stamp === stamp) return { manifest, bytes }
  } catch {
    // The same message as for a readable file with other content.
  }
  throw new StartRefused(`The manifest of the backup ${stamp} is damaged. Use a different backup.`)
}

/** Its bytes, if they match the manifest. */
export async function readStored(
  target: FileStore,
  place: string,
  { bytes, sha256: hash }: Stored,
): Promise<Buffer> {
  const read = await target.get(place)
  if (!read) throw new StartRefused(`${place} is missing from the backup. Use a different backup.`)
  if (read.length !== bytes || sha256(read) !== hash)
    throw new StartRefused(`${place} in the backup is truncated or was modified. Use a different backup.`)
  return read
}
