import type { FastifyInstance } from 'fastify'
import { isRecord } from '../is-record.ts'
import { Refused, refusedField } from '../refused.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The deepest body of the contract has four levels. The limit makes recursion over values safe. */
const depthMax = 20
/** The maximum number of values in one field of a body; the longest list of the contract has a few hundred. */
const valuesMax = 10_000

/**
 * Accepts JSON only (RFC 8259): bytes that are not UTF-8 are refused, not repaired. An empty body counts as
 * none.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    try {
      const body: unknown = JSON.parse(decoder.decode(bytes as Buffer))
      refuseShape(body)
      done(null, body)
    } catch (error) {
      done(error instanceof Refused ? error : new Refused('malformed_json'))
    }
  })
}

/**
 * Refuses values that are nested too deeply or too many, and names the field. The number of fields of the body
 * itself depends on the call: `read.ts` counts unknown ones.
 */
function refuseShape(body: unknown): void {
  if (!isRecord(body)) return measure(body, '')
  for (const name in body) measure(body[name], name)
}

function measure(value: unknown, name: string): void {
  let values = 0
  const refuse = () => {
    throw refusedField(name.slice(0, 100).toWellFormed(), 'invalid')
  }
  const walk = (inner: unknown, depth: number): void => {
    if (typeof inner !== 'object' || inner === null) return
    if (depth > depthMax) refuse()
    const inside: unknown[] = Array.isArray(inner) ? inner : Object.values(inner)
    values += inside.length
    if (values > valuesMax) refuse()
    for (const each of inside) walk(each, depth + 1)
  }
  walk(value, 1)
}
