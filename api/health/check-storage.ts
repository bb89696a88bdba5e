import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { MIB } from '#contract/platform/fields.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import { isApart } from '../platform/jobs/share-store.ts'
import { codeOf } from './outside/ask.ts'
import { checked, type Check } from './check.ts'

export const checkStorage: Check = async ({ files, config, db }) => {
  const disk = await statfs(config.dataDir).catch(codeOf)
  if (typeof disk === 'string')
    return checked('storage', { facts: { why: disk }, problems: { data_dir_missing: true } })
  const [free, capacity] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize]
  const isFull = free < 200 * MIB
  const fault = await tryStore(files)
  return checked('storage', {
    facts: { place: config.storageUrl ? 'bucket' : 'disk', free, capacity },
    problems: {
      storage_unreachable: fault === 'unreachable',
      storage_unwritable: fault === 'unwritable',
      storage_not_shared: fault !== 'unreachable' && (await isApart({ db, files })),
      storage_full: isFull,
      storage_low: !isFull && (free < 2048 * MIB || free < 0.05 * capacity),
    },
  })
}

/** Tries all operations of a store on a temporary file. */
export async function tryStore(files: FileStore): Promise<'unreachable' | 'unwritable' | undefined> {
  const key = `health/${randomUUID()}`
  try {
    // The name is unused, and a working store says so.
    await files.get(key)
  } catch {
    return 'unreachable'
  }
  const bytes = Buffer.from(key)
  try {
    await files.put(key, bytes)
    const [read, listed] = [await files.get(key), await files.list('health')]
    await files.remove(key)
    const isGone = (await files.get(key)) === undefined
    return read?.equals(bytes) && listed.includes(key) && isGone ? undefined : 'unwritable'
  } catch {
    await files.remove(key).catch(() => {})
    return 'unwritable'
  }
}
