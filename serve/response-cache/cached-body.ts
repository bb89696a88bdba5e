import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from '#contract/publishing/reads.ts'
import { best, compressors, quick, type Compressed, type Encoding, type Level } from './compress.ts'

/** Below this size, compression saves less than its own header costs. */
const compressedFromBytes = 200
const compressedBestToBytes = 1_000_000
/** From this number of requests on, a body is compressed as much as possible. */
const bestFrom = 5

/** The cache entry that keeps a body in memory. */
type Holder = {
  /** Marks the body as just sent. */
  touch(): void
  grow(bytes: number): void
  /** Whether the body may be outdated, so that the next request creates it again. */
  isStale(): boolean
}

/** A response body in memory: uncompressed, and compressed on the first request for each form. */
export type CachedBody = {
  type: string
  etag: string
  identity: Buffer
  forms: { [Name in Encoding]?: Buffer }
  compressing: { [Name in Encoding]?: Promise<void> }
  /** Compression level of the first compressed forms. */
  level: Level
  /** Whether the first response is sent uncompressed, because most bodies of this kind are requested only once. */
  isCompressedLater: boolean
  /** Number of times it was sent. */
  sent: number
  /** Whether its compressed forms are already the best ones. */
  isBest: boolean
  /** Without a holder, the body is not reused for other requests. */
  holder?: Holder | undefined
  onEvicted?: () => void
  /** What someone who receives it reads. */
  shows?: Readable
}

type More = {
  /** The best compressed forms, if they were created at build time. */
  compressed?: Compressed | undefined
  /** Compression level of the first compressed forms. */
  level?: Level
  isCompressedLater?: boolean
  /** Whether it changes too often for the best compression to pay off. */
  isShortLived?: boolean
}

export function makeCachedBody(type: string, content: string | Buffer, more: More = {}): CachedBody {
  const { compressed, level = quick, isCompressedLater = false, isShortLived = false } = more
  const identity = Buffer.from(content)
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  return {
    type,
    // A weak ETag, because all encodings of a body share it.
    etag: `W/"${hash}"`,
    identity,
    forms: compressed ? { br: compressed.brotli, gzip: compressed.gzip } : {},
    compressing: {},
    level,
    isCompressedLater,
    sent: 0,
    isBest: compressed !== undefined || isShortLived,
  }
}

/** Marks a body as unchanged for as long as the program runs. */
export const forGood = (body: CachedBody): CachedBody =>
  Object.assign(body, { holder: { touch() {}, grow() {}, isStale: () => false } })

export function evict(body: CachedBody): void {
  body.holder = undefined
  body.onEvicted?.()
}

export const weightOf = ({ identity, forms }: CachedBody): number =>
  identity.length + (forms.br?.length ?? 0) + (forms.gzip?.length ?? 0)

/** Makes both compressed forms in advance. */
export async function compress(body: CachedBody): Promise<void> {
  for (const encoding of ['gzip', 'br'] as const) await makeForm(body, encoding)
}

/**
 * Resolves when the compressed form is ready. It is compressed quickly first and replaced by the best form after many
 * requests.
 */
async function makeForm(body: CachedBody, encoding: Encoding): Promise<void> {
  if (body.forms[encoding] || !isWorthCompressing(body)) return
  await (body.compressing[encoding] ??= compressInto(body, encoding, body.level))
}

const isWorthCompressing = ({ identity, type }: CachedBody): boolean =>
  identity.length >= compressedFromBytes && !isCompressedAlready(type)

/**
 * The best compression takes up to a quarter of a second of CPU time for each of about thirty pages, at each start and
 * after each change. So it is used only for bodies with repeated requests, one at a time, because the same thread pool
 * hashes passwords.
 */
function compressBest(body: CachedBody): void {
  // Several megabytes would keep the thread busy for seconds.
  if (body.isBest || !isWorthCompressing(body) || body.identity.length > compressedBestToBytes) return
  body.isBest = true
  // After a failure the quick form stays, and the next body must still be compressed.
  for (const encoding of ['gzip', 'br'] as const)
    queue = queue.then(() => compressInto(body, encoding, best)).catch(() => {})
}

let queue = Promise.resolve()

async function compressInto(body: CachedBody, encoding: Encoding, level: Level): Promise<void> {
  const before = body.forms[encoding]?.length ?? 0
  const form = await compressors[encoding](body.identity, level)
  body.forms[encoding] = form
  body.holder?.grow(form.length - before)
}

const isCompressedAlready = (type: string): boolean =>
  /^(font|image|video)\//.test(type) && !type.includes('svg')

/** Returns the smallest encoding that the client accepts. */
export function encodingFor(body: CachedBody, accepted: string | undefined): Encoding | undefined {
  if (!accepted || !isWorthCompressing(body)) return undefined
  return accepts(accepted, 'br') ? 'br' : accepts(accepted, 'gzip') ? 'gzip' : undefined
}

const accepts = (header: string, encoding: string): boolean => {
  const found = header.split(',').find((each) => each.trim().split(';')[0] === encoding)
  return found !== undefined && !/;\s*q=0(\.0+)?\s*$/.test(found)
}

/** A page with a retry notice must not be answered with 304. */
export const isUnchangedFor = (
  ifNoneMatch: string | undefined,
  status: number,
  { etag }: CachedBody,
): boolean => status === 200 && ifNoneMatch?.includes(etag) === true

/** Counts a response. */
export function recordResponse(body: CachedBody): void {
  body.sent += 1
  body.holder?.touch()
  if (body.sent >= bestFrom) compressBest(body)
}

/** Responds in the smallest encoding that the client accepts, or with 304. */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  body: CachedBody,
): Promise<FastifyReply> {
  void reply.header('etag', body.etag)
  request.server.rememberResponse?.(request, reply, body)
  if (body.shows && reply.statusCode === 200) request.server.countRead?.(request.raw, body.shows)
  if (isUnchangedFor(request.headers['if-none-match'], reply.statusCode, body)) return reply.code(304).send()
  const isEarly = body.isCompressedLater && body.sent === 0
  const encoding = isEarly ? undefined : encodingFor(body, request.headers['accept-encoding'])
  if (encoding) await makeForm(body, encoding)
  recordResponse(body)
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.type(body.type).send(encoding ? body.forms[encoding] : body.identity)
}
