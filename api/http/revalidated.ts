import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { KIB } from '#contract/fields.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** More than pages ask for: whoever asks for ever other selections of that size gets what costs little. */
const largeFromBytes = 64 * KIB

const encoders = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: body.length < largeFromBytes ? 5 : 1 },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: body.length < largeFromBytes ? 6 : 1 }),
}
type Encoding = keyof typeof encoders

/** Below this, compression saves less than its own header costs. */
const compressedFromBytes = 200
/** Anybody may ask for any selection: the oldest goes first. */
const keptMax = 200
const kept = new Map<string, Promise<Buffer>>()

/** Answers what is the same for everybody: 304 to whoever has it already, else in the smallest encoding that they take. */
export async function sendRevalidated(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): Promise<FastifyReply> {
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22)
  // Weak: the encodings of one answer share it.
  const etag = `W/"${hash}"`
  void reply.headers({ 'cache-control': 'no-cache', etag, vary: 'Accept-Encoding' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  void reply.type('application/json; charset=utf-8')
  const body = Buffer.from(json)
  const encoding = body.length < compressedFromBytes ? undefined : bestOf(request.headers['accept-encoding'])
  if (!encoding) return reply.send(body)
  return reply.header('content-encoding', encoding).send(await encode(`${hash} ${encoding}`, body, encoding))
}

function encode(key: string, body: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = kept.get(key)
  if (known) return known
  const encoded = encoders[encoding](body)
  kept.set(key, encoded)
  if (kept.size > keptMax) kept.delete(kept.keys().next().value!)
  encoded.catch(() => kept.delete(key))
  return encoded
}

const bestOf = (header = ''): Encoding | undefined =>
  (Object.keys(encoders) as Encoding[]).find((encoding) =>
    header.split(',').some((each) => {
      const [name, quality] = each.trim().split(/\s*;\s*q=/)
      return name === encoding && Number(quality ?? 1) > 0
    }),
  )
