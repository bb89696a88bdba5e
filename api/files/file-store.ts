import type { Readable } from 'node:stream'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { StoreFailed } from './store-failed.ts'

/** Stores bytes by keys that the server makes: letters, digits, dashes and slashes. Outages throw `StoreFailed`. */
export type FileStore = {
  /** On return the bytes are durable. */
  put(key: string, bytes: Buffer): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** The same, piece by piece. */
  open(key: string): Promise<Readable | undefined>
  remove(key: string): Promise<void>
  /** The keys directly below `folder`, of whole files only, in any order. */
  list(folder: string): Promise<string[]>
  /** The keys of all whole files. */
  listAll(): Promise<string[]>
}

/** Each key is written once, so a part that a crash left behind is known by the key alone. */
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
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(partOf(path), 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partOf(path), path)
}
