import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { KIB } from '#contract/platform/fields.ts'
import { StoreFailed } from '../files/store-failed.ts'
import { Refused } from '../refused.ts'
import { extractFiles, type FileSink } from './extract-files.ts'
import type { Uploader, UploadSlots } from './upload-slots.ts'

/** A file from the body of a request; `head` contains its first bytes. */
type Upload = { head: Buffer; isTooLarge: boolean; read(): Pieces }
export type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>

/** The files of a request, by the strings that replace them in its body. */
export type Uploads = {
  find(text: string): Upload | undefined
  /** Keeps the files while the handler runs, even if the connection ends. */
  whileInUse<T>(work: () => Promise<T>): Promise<T>
}

/** Enough bytes to recognize formats. */
const headBytes = 16

/** Wraps a data URL that is part of the text. */
export function uploadOf(dataUrl: string, bytesMax: number): Upload {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  return { head: bytes.subarray(0, headBytes), isTooLarge: bytes.length > bytesMax, read: () => [bytes] }
}

type Taken = NonNullable<Endpoint['acceptsFiles']>
type Call = Pick<Endpoint, 'acceptsFiles' | 'bodyBytesMax'>
type Surroundings = { slots: UploadSlots; who: Uploader; dataDir: string }

/** At least this many bytes within this many milliseconds of waiting for them. */
type Pace = { bytes: number; within: number }

/** Slower than any phone network, and long enough for a tunnel. */
const paceMin: Pace = { bytes: 128 * KIB, within: MINUTE }

/**
 * Reads a body as long as it arrives at the given pace. Only the time spent waiting for the sender counts, not our own
 * processing. `end` stops waiting.
 */
export function pacedBody(body: Readable, pace = paceMin) {
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>
  let reason: Error | undefined
  let giveUp: ((reason: Error) => void) | undefined
  let waited = 0
  let bytes = 0

  /** Reads and discards the rest, so that a sender that doesn't listen meanwhile still gets the response. */
  const discard = (): void =>
    void pieces.return?.().then(
      () => body.resume(),
      () => {},
    )
  const end = (why: Error): void => {
    if (reason) return
    reason = why
    giveUp?.(why)
    discard()
  }

  // Creates one promise per piece: racing against a single promise for the whole body would keep everything until its
  // end.
  const next = () =>
    new Promise<IteratorResult<Buffer, undefined>>((resolve, reject) => {
      if (reason) return reject(reason)
      giveUp = reject
      let since = performance.now()
      let timer = setTimeout(judge, pace.within - waited)
      function judge() {
        if (bytes < pace.bytes) return end(new Refused('too_slow'))
        bytes = 0
        waited = 0
        since = performance.now()
        timer = setTimeout(judge, pace.within)
      }
      const settle = () => {
        clearTimeout(timer)
        waited += performance.now() - since
      }
      pieces.next().then(
        (piece) => {
          settle()
          bytes += piece.value?.length ?? 0
          resolve(piece)
        },
        (error: Error) => {
          settle()
          reject(error)
        },
      )
    })
  async function stop(): Promise<IteratorResult<Buffer, undefined>> {
    discard()
    return { done: true, value: undefined }
  }
  const iterable: AsyncIterable<Buffer> = { [Symbol.asyncIterator]: () => ({ next, return: stop }) }
  return { end, pieces: iterable }
}

/** The files of one request while it is handled. Disk outages throw `StoreFailed`. */
type Spool = {
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
function makeSpool(directory: string): Spool {
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

/**
 * Reads the body of an endpoint that accepts files, before anything parses it; without room, it is rejected unread.
 * Passes on the JSON without its files.
 */
export async function receiveUploads(
  { acceptsFiles, bodyBytesMax = 0 }: Call,
  { request, reply, payload }: { request: FastifyRequest; reply: FastifyReply; payload: RequestPayload },
  { slots, who, dataDir }: Surroundings,
): Promise<{ uploads?: Uploads; payload: RequestPayload }> {
  // Without a content type, Fastify accepts only an empty body.
  if (!acceptsFiles || request.headers['content-type'] === undefined) return { payload }
  // Same check as Fastify's when it selects a parser, so that both agree on which bodies pass here.
  if (request.mediaType !== 'application/json') throw new Refused('unsupported_media_type')
  const declared = Number(request.headers['content-length'] ?? bodyBytesMax)
  if (!(declared <= bodyBytesMax)) throw new Refused('payload_too_large')
  const paced = pacedBody(payload)
  const slot = slots.take(who, declared, paced.end)
  const spool = makeSpool(join(dataDir, 'uploads'))
  let hasEnded = false
  const end = () => {
    if (hasEnded) return
    hasEnded = true
    slot.giveBack()
    spool
      .close()
      .catch((error: NodeJS.ErrnoException) =>
        request.log.warn({ code: error.code }, 'an uploaded file did not close'),
      )
  }
  const { uploads, begin, letGo } = collect(spool, acceptsFiles, end)
  try {
    const { rest, received } = await extractFiles(paced.pieces, bodyBytesMax, begin, slot.receive)
    slot.complete()
    for (const event of ['finish', 'close']) reply.raw.once(event, letGo)
    if (reply.raw.closed) letGo()
    return { uploads, payload: Object.assign(Readable.from([rest]), { receivedEncodedLength: received }) }
  } catch (error) {
    end()
    if (error instanceof Refused || error instanceof StoreFailed) throw error
    // The client disconnected, so no one receives a response.
    throw new Refused('malformed_json')
  }
}

const backslash = 0x5c
const slash = 0x2f
const padding = 0x3d
const letterU = 0x75

/** Value of each byte in base64 or base64url (RFC 4648); -1 for all others. */
const values = new Int8Array(256).fill(-1)
for (const alphabet of ['+/', '-_'])
  for (const [value, letter] of [
    ...`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${alphabet}`,
  ].entries())
    values[letter.codePointAt(0)!] = value

/** Reused, because new strings and buffers for each piece would let the heap grow with the amount of data. */
let scratch = Buffer.alloc(0)

/**
 * Decodes base64 that arrives in pieces, as in a JSON string: `/` and `+` may be escaped, lines may be broken, and the
 * padding may be missing.
 */
export class Base64Reader {
  #bits = 0
  #letters = 0
  #hasEnded = false
  /** Where the previous piece ended within an escape: 0 outside, 1 after the backslash, 2 to 5 after its `u`. */
  #escape = 0
  #codePoint = 0

  /** `piece` is content between the quotes. The result is overwritten by the next piece of any reader. */
  add(piece: Buffer): Buffer {
    if (scratch.length < piece.length + 3) scratch = Buffer.allocUnsafeSlow(piece.length + 3)
    let length = 0
    for (const byte of piece) {
      let letter = byte
      if (this.#escape > 0) letter = this.#unescape(byte)
      else if (byte === backslash) {
        this.#escape = 1
        continue
      }
      const value = values[letter] ?? -1
      if (letter === padding) this.#hasEnded = true
      if (value < 0 || this.#hasEnded) continue
      this.#bits = (this.#bits << 6) | value
      this.#letters += 1
      if (this.#letters < 4) continue
      scratch[length] = this.#bits >> 16
      scratch[length + 1] = this.#bits >> 8
      scratch[length + 2] = this.#bits
      length += 3
      this.#bits = 0
      this.#letters = 0
    }
    return scratch.subarray(0, length)
  }

  /** Returns the bytes of the last letters, if they are fewer than four. */
  end(): Buffer {
    const bits = this.#bits << (6 * (4 - this.#letters))
    return Buffer.from([bits >> 16, bits >> 8]).subarray(0, Math.max(0, this.#letters - 1))
  }

  /** Returns the letter of a complete escape, otherwise none: the other short escapes are white space. */
  #unescape(byte: number): number {
    if (this.#escape === 1) {
      this.#escape = byte === letterU ? 2 : 0
      this.#codePoint = 0
      return byte === slash ? byte : -1
    }
    this.#codePoint = this.#codePoint * 16 + Number.parseInt(String.fromCodePoint(byte), 16)
    this.#escape = this.#escape === 5 ? 0 : this.#escape + 1
    return this.#escape === 0 ? this.#codePoint : -1
  }
}

function collect(spool: Spool, { countMax, bytesMax }: Taken, end: () => void) {
  const known = new Map<string, Upload>()
  let isInUse = false
  const uploads: Uploads = {
    find: (text) => known.get(text.slice(text.indexOf(',') + 1)),
    async whileInUse(work) {
      isInUse = true
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
  const begin = () => {
    const name = randomUUID()
    const file = spool.begin()
    const reader = new Base64Reader()
    const upload: Upload = { head: Buffer.alloc(0), isTooLarge: false, read: () => file.read() }
    // Files beyond the maximum are not read, so they need no room.
    const isKept = known.size < countMax
    let bytes = 0
    const write = async (plain: Buffer) => {
      bytes += plain.length
      if (upload.head.length < headBytes)
        upload.head = Buffer.concat([upload.head, plain.subarray(0, headBytes - upload.head.length)])
      upload.isTooLarge = bytes > bytesMax
      if (isKept && !upload.isTooLarge) await file.write(plain)
    }
    const sink: FileSink = {
      write: (piece) => write(reader.add(piece)),
      end: () => write(reader.end()),
    }
    known.set(name, upload)
    return { name, sink }
  }
  return { uploads, begin, letGo: () => !isInUse && end() }
}
