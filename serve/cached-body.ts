import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { best, compressTo, quick, type Compressed } from './compress.ts'

/** Below this, compression saves less than its own header costs. */
const compressedFromBytes = 200
const compressedBestToBytes = 1_000_000
/** From so many requests on a body is compressed as far as it goes. */
const bestFrom = 5

/** A response body in memory: uncompressed, and compressed on the first request. */
export type CachedBody = {
  type: string
  etag: string
  identity: Buffer
  gzip?: Buffer
  brotli?: Buffer
  compressing?: Promise<void>
  /** How often it was sent. */
  sent: number
  /** Whether its compressed forms are the smallest there are. */
  isBest: boolean
}

/** `compressed` are its smallest forms, where they were made before. */
export function makeCachedBody(type: string, content: string | Buffer, compressed?: Compressed): CachedBody {
  const identity = Buffer.from(content)
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  return {
    type,
    // Weak: the encodings of one body share it.
    etag: `W/"${hash}"`,
    identity,
    sent: 0,
    isBest: compressed !== undefined,
    ...(compressed && { ...compressed, compressing: Promise.resolve() }),
  }
}

/** Resolves when compressed forms are available: quickly compressed ones, replaced by the smallest once many ask. */
export function compress(body: CachedBody): Promise<void> {
  body.compressing ??= isWorthIt(body) ? compressInto(body, quick) : Promise.resolve()
  return body.compressing
}

const isWorthIt = ({ identity, type }: CachedBody): boolean =>
  identity.length >= compressedFromBytes && !isCompressedAlready(type)

/**
 * The smallest forms take up to a quarter of a second of a processor, at each start and after each change for some thirty
 * pages: only what is asked for again and again gets them, one at a time, because the threads that compress hash passwords
 * as well.
 */
function compressBest(body: CachedBody): void {
  // Megabytes would hold the thread for seconds.
  if (body.isBest || !isWorthIt(body) || body.identity.length > compressedBestToBytes) return
  body.isBest = true
  // Whatever fails here leaves the quick form, and must not keep the next one waiting.
  queue = queue.then(() => compressInto(body, best)).catch(() => {})
}

let queue = Promise.resolve()

const compressInto = async (body: CachedBody, level: typeof best): Promise<void> =>
  void Object.assign(body, await compressTo(body.identity, level))

const isCompressedAlready = (type: string): boolean =>
  /^(font|image|video)\//.test(type) && !type.includes('svg')

/** Responds with the smallest encoding that the client accepts, or with 304. */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  body: CachedBody,
): Promise<FastifyReply> {
  void reply.header('etag', body.etag)
  // A page that says to come back later must not be taken for one that is known already.
  const isCurrent = reply.statusCode === 200 && request.headers['if-none-match']?.includes(body.etag)
  if (isCurrent) return reply.code(304).send()
  await compress(body)
  body.sent += 1
  if (body.sent >= bestFrom) compressBest(body)
  const accepted = request.headers['accept-encoding'] ?? ''
  const [encoding, bytes] =
    body.brotli && accepts(accepted, 'br')
      ? ['br', body.brotli]
      : body.gzip && accepts(accepted, 'gzip')
        ? ['gzip', body.gzip]
        : [null, body.identity]
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.type(body.type).send(bytes)
}

const accepts = (header: string, encoding: string): boolean => {
  const found = header.split(',').find((each) => each.trim().split(';')[0] === encoding)
  return found !== undefined && !/;\s*q=0(\.0+)?\s*$/.test(found)
}
