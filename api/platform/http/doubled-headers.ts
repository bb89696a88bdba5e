import type { FastifyInstance } from 'fastify'

/**
 * Headers that identify the caller or the target: if they are repeated, a proxy may read one and this program
 * the other (RFC 9110, 5.3). Node already refuses a repeated `Content-Length`.
 */
const single: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'x-app-id',
  'x-access-token',
  'x-phone-secret',
  'x-xsrf-token',
  'idempotency-key',
  'sec-fetch-site',
])

/** `rawHeaders` alternates names and values. */
export function hasDoubledHeader(rawHeaders: readonly string[]): boolean {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (!single.has(name)) continue
    if (seen.has(name)) return true
    seen.add(name)
  }
  return false
}

export function refuseDoubledHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // An internal call has none.
    if (!hasDoubledHeader(request.raw.rawHeaders ?? [])) return done()
    void reply.code(400).header('connection', 'close').send({ error: 'Bad Request', statusCode: 400 })
  })
}
