import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { StoreFailed } from '../files/store-failed.ts'
import { Refused } from '../refused.ts'
import { Base64Reader } from './base64-reader.ts'
import { extractFiles, type FileSink } from './extract-files.ts'
import { pacedBody } from './paced-body.ts'
import { makeSpool, type Spool } from './spool.ts'
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
