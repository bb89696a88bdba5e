import type { Readable } from 'node:stream'
import { constants } from 'node:fs'
import { lchown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { StoreFailed } from './store-failed.ts'

/**
 * Stores bytes under keys made by the server: letters, digits, dashes, and slashes. Outages throw
 * `StoreFailed`.
 */
export type FileStore = {
  /** Resolves when the bytes are durable. */
  put(key: string, bytes: Buffer): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** The same as a stream. */
  open(key: string): Promise<Readable | undefined>
  remove(key: string): Promise<void>
  /** The keys of complete files directly below `folder`, in any order. */
  list(folder: string): Promise<string[]>
  /** The keys of all complete files. */
  listAll(): Promise<string[]>
}

/** Each key is written once, so the name of a partial file left by a crash follows from the key. */
const partOf = (path: string) => `${path}.part`

export const checkFileKey = (key: string): void => {
  if (!keyPattern.test(key)) throw new Error('not a file key')
}

const keyPattern = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/

export function openDiskStore(directory: string): FileStore {
  const pathOf = (key: string) => {
    checkFileKey(key)
    return join(directory, key)
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      try {
        await write(path, bytes)
      } catch (error) {
        await rm(partOf(path), { force: true }).catch(() => {})
        throw new StoreFailed(error)
      }
    },
    async get(key) {
      const path = pathOf(key)
      try {
        return await readFile(path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw new StoreFailed(error)
      }
    },
    async open(key) {
      try {
        const file = await open(pathOf(key), 'r')
        return file.createReadStream()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw new StoreFailed(error)
      }
    },
    async remove(key) {
      const path = pathOf(key)
      for (const each of [path, partOf(path)]) await rm(each, { force: true })
    },
    async list(folder) {
      try {
        const names = await readdir(pathOf(folder))
        return names.filter((name) => !name.endsWith('.part')).map((name) => `${folder}/${name}`)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw new StoreFailed(error)
      }
    },
    async listAll() {
      try {
        const found = await readdir(directory, { recursive: true, withFileTypes: true })
        const paths = found
          .filter((each) => each.isFile())
          .map((each) => relative(directory, join(each.parentPath, each.name)))
        return paths.filter((path) => keyPattern.test(path))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw new StoreFailed(error)
      }
    },
  }
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const folder = dirname(path)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  const owner = await ownerOf(made ? dirname(made) : folder)
  if (owner && made)
    for (let each = folder; each.length >= made.length; each = dirname(each))
      await lchown(each, owner.uid, owner.gid)
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const file = await open(partOf(path), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  try {
    if (owner) await file.chown(owner.uid, owner.gid)
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partOf(path), path)
}

/**
 * Commands run as root, the only account that can read the settings, but their files belong to the program,
 * which owns the folder.
 */
async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat(folder)
  return uid === 0 ? undefined : { uid, gid }
}
