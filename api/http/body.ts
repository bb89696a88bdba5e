import type { FastifyInstance } from 'fastify'
import { Refused } from '../refused.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** JSON only (RFC 8259): bytes that are not UTF-8 are refused, not repaired. An empty body counts as none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    try {
      done(null, JSON.parse(decoder.decode(bytes as Buffer)))
    } catch {
      done(new Refused('malformed_json'))
    }
  })
}
