import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { best, compressors, quick, type Compressed, type Encoding, type Level } from './compress.ts'

/** Below this, compression saves less than its own header costs. */
const compressedFromBytes = 200
const compressedBestToBytes = 1_000_000
/** From so many requests on a body is compressed as far as it goes. */
const bestFrom = 5

/** What keeps a body in memory. */
type Holder = {
  /** It was sent. */
  touch(): void
  grow(bytes: number): void
  /** It may have changed unheard, and is made anew for whoever asks next. */
  isStale(): boolean
}

/** A response body in memory: uncompressed, and compressed on the first request for each form. */
export type CachedBody = {
  type: string
  etag: string
  identity: Buffer
  forms: { [Name in Encoding]?: Buffer }
  compressing: { [Name in Encoding]?: Promise<void> }
  /** How its forms are compressed at first. */
  level: Level
  /** Whether it is sent as it is to the first who asks: most of its kind are asked for once. */
  isCompressedLater: boolean
  /** How often it was sent. */
  sent: number
  /** Whether its compressed forms are the smallest there will be. */
  isBest: boolean
  /** While there is none, or no more, it is repeated to nobody else. */
  holder?: Holder | undefined
  onDropped?: () => void
}

type More = {
  /** Its smallest forms, where they were made before. */
  compressed?: Compressed | undefined
  /** How it is compressed at first. */
  level?: Level
  isCompressedLater?: boolean
  /** Where it is made anew too often to be worth the smallest forms. */
  isShortLived?: boolean
}

export function makeCachedBody(type: string, content: string | Buffer, more: More = {}): CachedBody {
  const { compressed, level = quick, isCompressedLater = false, isShortLived = false } = more
  const identity = Buffer.from(content)
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  return {
    type,
    // Weak: the encodings of one body share it.
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

/** Of a body that is the same as long as the program runs. */
export const forGood = (body: CachedBody): CachedBody =>
  Object.assign(body, { holder: { touch() {}, grow() {}, isStale: () => false } })

export function drop(body: CachedBody): void {
  body.holder = undefined
  body.onDropped?.()
}

export const weightOf = ({ identity, forms }: CachedBody): number =>
  identity.length + (forms.br?.length ?? 0) + (forms.gzip?.length ?? 0)

/** Makes both compressed forms in advance. */
export async function compress(body: CachedBody): Promise<void> {
  for (const encoding of ['gzip', 'br'] as const) await makeForm(body, encoding)
}

/** Resolves when the form is there: quickly compressed, replaced by the smallest once many ask. */
async function makeForm(body: CachedBody, encoding: Encoding): Promise<void> {
  if (body.forms[encoding] || !isWorthIt(body)) return
  await (body.compressing[encoding] ??= compressInto(body, encoding, body.level))
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

/** The smallest encoding that the client accepts. */
export function encodingFor(body: CachedBody, accepted: string | undefined): Encoding | undefined {
  if (!accepted || !isWorthIt(body)) return undefined
  return accepts(accepted, 'br') ? 'br' : accepts(accepted, 'gzip') ? 'gzip' : undefined
}

const accepts = (header: string, encoding: string): boolean => {
  const found = header.split(',').find((each) => each.trim().split(';')[0] === encoding)
  return found !== undefined && !/;\s*q=0(\.0+)?\s*$/.test(found)
}

/** A page that says to come back later must not be taken for one that is known already. */
export const isKnownTo = (given: string | undefined, status: number, { etag }: CachedBody): boolean =>
  status === 200 && given?.includes(etag) === true

/** Notes that it was sent. */
export function noteSent(body: CachedBody): void {
  body.sent += 1
  body.holder?.touch()
  if (body.sent >= bestFrom) compressBest(body)
}

/** Responds with the smallest encoding that the client accepts, or with 304. */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  body: CachedBody,
): Promise<FastifyReply> {
  void reply.header('etag', body.etag)
  request.server.rememberAnswer?.(request, reply, body)
  if (isKnownTo(request.headers['if-none-match'], reply.statusCode, body)) return reply.code(304).send()
  const isEarly = body.isCompressedLater && body.sent === 0
  const encoding = isEarly ? undefined : encodingFor(body, request.headers['accept-encoding'])
  if (encoding) await makeForm(body, encoding)
  noteSent(body)
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.type(body.type).send(encoding ? body.forms[encoding] : body.identity)
}
