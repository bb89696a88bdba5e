import { timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { clientOf } from '../platform/http/request-facts.ts'
import { trusting } from '../platform/http/trusted-networks.ts'
import type { Services } from '../platform/services.ts'

export const probePath = '/.well-known/installation-probe'
export const probeHeader = 'x-installation-probe'

type Keys = Pick<Services['keys'], 'blind'>

/** Only someone with the master key can ask, and only an installation with it can answer. */
export const askedBy = (keys: Keys, nonce: string): string => `${nonce}.${keys.blind(`probe asks ${nonce}`)}`
export const answeredBy = (keys: Keys, nonce: string): string => keys.blind(`probe answers ${nonce}`)
/** An address for comparison, without revealing it. */
export const hashClient = (keys: Keys, client: string): string => keys.blind(`probe client ${client}`)

/** Request headers that the product needs; the doctor sends its nonce in each. */
export const probedHeaders = [
  'x-access-token',
  'x-app-id',
  'x-phone-secret',
  'x-xsrf-token',
  'authorization',
  'cookie',
  'content-type',
  'idempotency-key',
  'if-none-match',
] as const
/** One path next to the pages and one among the calls, because a proxy may treat them differently. */
export const probePaths = [probePath, '/v2/installation-probe'] as const
export const probeMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** The largest body that a call accepts. */
export const probeBodyMax = Math.max(
  ...Object.values<Endpoint>(api).map(({ bodyBytesMax }) => bodyBytesMax ?? 0),
)
const waitMax = MINUTE

export type ProbeAnswer = {
  answer: string
  /** How the program sees the request: whether a proxy forwarded it, and whether it is trusted. */
  isForwarded: boolean
  isPeerTrusted: boolean
  protocol: string
  client: string
  /** The path and query as received. */
  url: string
  /** The `probedHeaders` that arrived with the nonce. */
  headers: string[]
  /** Number of bytes received of the body. */
  bytes: number
  /** The program's clock, in milliseconds. */
  now: number
}

/**
 * Answers the operator's `npm run doctor` that PUBLIC_URL leads here, and how a request arrives. For everyone
 * else the address is 404, and their body is not read.
 */
export function mountProbe(app: FastifyInstance, { keys, config }: Pick<Services, 'keys' | 'config'>): void {
  const isTrusted = trusting(config.trustProxy)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The bytes are only counted, because the content is not needed.
    scope.addContentTypeParser('*', (_request, body, done) => {
      let bytes = 0
      body.on('data', (chunk: Buffer) => void (bytes += chunk.length))
      body.on('end', () => done(null, bytes)).on('error', done)
    })
    for (const url of [...probePaths, `${probePath}/*`])
      scope.route({
        method: [...probeMethods],
        url,
        bodyLimit: probeBodyMax,
        config: { hasOwnPace: true },
        onRequest: async (request, reply) => {
          if (nonceIn(keys, request) === undefined) return reply.callNotFound()
        },
        handler: async (request, reply) => {
          const nonce = nonceIn(keys, request)!
          const { wait } = request.query as { wait?: string }
          if (wait) await pause(Math.min(Number(wait) || 0, waitMax))
          const found: ProbeAnswer = {
            answer: answeredBy(keys, nonce),
            isForwarded: request.headers['x-forwarded-for'] !== undefined,
            isPeerTrusted: isTrusted(request.socket.remoteAddress),
            protocol: request.protocol,
            client: hashClient(keys, clientOf(request.ip)),
            url: request.originalUrl,
            headers: probedHeaders.filter((name) => String(request.headers[name]).includes(nonce)),
            bytes: typeof request.body === 'number' ? request.body : 0,
            now: Date.now(),
          }
          if (request.headers.cookie?.includes(nonce))
            void reply.header('set-cookie', `probe=${nonce}; Path=${probePath}; Max-Age=1; Secure; HttpOnly`)
          return reply.header('cache-control', 'no-store').header(probeHeader, nonce).send(found)
        },
      })
  })
}

/** By header or, if a proxy removes unknown headers, by query. */
function nonceIn(keys: Keys, { headers, query }: FastifyRequest): string | undefined {
  const given = String(headers[probeHeader] ?? (query as { probe?: unknown }).probe)
  const [, nonce] = /^([\w-]{16,64})\.[\w-]{43}$/.exec(given) ?? []
  if (nonce === undefined) return undefined
  const [sent, expected] = [Buffer.from(given), Buffer.from(askedBy(keys, nonce))]
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? nonce : undefined
}
