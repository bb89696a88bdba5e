import { createHash } from 'node:crypto'
import { DAY } from '#contract/platform/durations.ts'
import { MIB } from '#contract/platform/fields.ts'
import type { Tx } from '../db/database.ts'
import type { Module, Worker } from '../module.ts'
import type { Services } from '../services.ts'
import {
  deleteOldBuiltFiles,
  findKept,
  insertBuiltFiles,
  listKept,
  touchBuiltFiles,
} from './built-file.queries.ts'

/** A file of the built site; its name contains a hash of its content. */
export type BuiltFile = { name: string; form: 'plain' | 'br'; bytes: Buffer }

/**
 * How long pages still open in browsers find their files after the last instance of their release has ended, in
 * milliseconds.
 */
const age = 30 * DAY
const filesMax = 10_000
const bytesMax = 128 * MIB
/** An instance marks its files as in use once a day. */
const every = DAY
const filesAtOnce = 40

type Needed = Pick<Services, 'db' | 'keys'>

const hashOf = ({ form, bytes }: Omit<BuiltFile, 'name'>): string =>
  `${form} ${createHash('sha256').update(bytes).digest('base64url')}`

/**
 * Stores the files of this build for every instance before any page names them, and marks them as in use from time to
 * time. A file already stored completely under its name is kept. Only the names stay in memory; the web server holds
 * the bytes.
 */
export async function storeBuiltFiles(needed: Needed, files: readonly BuiltFile[]): Promise<Worker> {
  await keepNow(needed, files)
  return touchDaily(
    needed,
    files.map(({ name }) => name),
  )
}

/** A separate function, so that its timer does not keep the stored bytes in memory. */
function touchDaily({ db }: Needed, names: readonly string[]): Worker {
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    last = touchBuiltFiles(db, names).catch(() => {})
  }, every)
  return {
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}

async function keepNow({ db, keys }: Needed, files: readonly BuiltFile[]): Promise<void> {
  const names = files.map(({ name }) => name)
  const known = new Map((await listKept(db, names, every / 2)).map((row) => [row.name, row]))
  const isKept = (file: BuiltFile) => {
    const row = known.get(file.name)
    return row !== undefined && isSealed({ keys }, file, row.sealed_hash)
  }
  const [there, missing] = [files.filter(isKept), files.filter((file) => !isKept(file))]
  const toTouch = there.filter(({ name }) => !known.get(name)!.isRecent).map(({ name }) => name)
  if (toTouch.length > 0) await touchBuiltFiles(db, toTouch)
  for (let at = 0; at < missing.length; at += filesAtOnce)
    await insertBuiltFiles(
      db,
      missing.slice(at, at + filesAtOnce).map(({ name, form, bytes }) => ({
        name,
        form,
        bytes,
        sealed_hash: keys.seal('built file', name, hashOf({ form, bytes })),
      })),
    )
}

/**
 * Returns the file of another release with that name; `undefined` if none is stored, or if the stored one was not
 * written by an instance.
 */
export async function readBuiltFile(needed: Needed, name: string): Promise<BuiltFile | undefined> {
  const row = await findKept(needed.db, name)
  if (!row) return undefined
  const file = { name, form: row.form as BuiltFile['form'], bytes: row.bytes }
  return isSealed(needed, file, row.sealed_hash) ? file : undefined
}

function isSealed({ keys }: Pick<Needed, 'keys'>, file: BuiltFile, seal: Buffer): boolean {
  try {
    return keys.open('built file', file.name, seal) === hashOf(file)
  } catch {
    return false
  }
}

export const removeOldBuiltFiles = (db: Tx, limits = { filesMax, bytesMax }): Promise<void> =>
  deleteOldBuiltFiles(db, { age, inUse: 2 * every, ...limits })

/** Files of pages from recently running releases. */
export const builtFiles = {
  cleanUp: { oldBuiltFiles: ({ db }) => removeOldBuiltFiles(db) },
} satisfies Module
