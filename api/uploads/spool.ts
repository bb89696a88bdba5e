import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { KIB } from '#contract/fields.ts'
import { StoreFailed } from '../files/store-failed.ts'

/** The files of one request while it is handled. Disk outages throw `StoreFailed`. */
export type Spool = {
  /** Starts the next file. It must be written to its end before another one starts. */
  begin(): SpooledFile
  /** After this, nothing can be read anymore. */
  close(): Promise<void>
}

type SpooledFile = {
  write(plain: Buffer): Promise<void>
  /** Reads in pieces, so that no one has to hold the whole file. */
  read(): AsyncIterable<Buffer>
}

const pieceBytes = 256 * KIB

/**
 * Stores the files in one unnamed file, which disappears with this process however it ends. It is encrypted with a key
 * that exists only in memory, so that its disk blocks reveal nothing.
 */
export function makeSpool(directory: string): Spool {
  const key = randomBytes(32)
  let opened: Promise<FileHandle> | undefined
  let end = 0
  return {
    begin() {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const start = end
      let length = 0
      let tag: Buffer | undefined
      return {
        async write(plain) {
          const sealed = cipher.update(plain)
          const at = end
          end += sealed.length
          length += sealed.length
          await onDisk(async () => writeAll(await (opened ??= openNameless(directory)), sealed, at))
        },
        async *read() {
          if (!tag && length > 0) {
            cipher.final()
            tag = cipher.getAuthTag()
          }
          if (!tag) return
          const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag)
          for (let at = 0; at < length; at += pieceBytes) {
            const size = Math.min(pieceBytes, length - at)
            yield decipher.update(await onDisk(async () => readAll(await opened!, start + at, size)))
          }
          // Throws if a byte was changed.
          decipher.final()
        },
      }
    },
    async close() {
      const file = await opened?.catch(() => undefined)
      await file?.close()
    },
  }
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new StoreFailed(error)
  }
}

/** Opens a file and removes its name. A crash in between leaves a name without content. */
async function openNameless(directory: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let done = 0
  while (done < bytes.length)
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
}

async function readAll(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, start + done)
    if (bytesRead === 0) throw Object.assign(new Error('cut short'), { code: 'EIO' })
    done += bytesRead
  }
  return bytes
}
