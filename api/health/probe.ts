import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { clientOf } from '../http/request-facts.ts'
import { trusting } from '../http/trusted-networks.ts'
import type { Services } from '../services.ts'

export const probePath = '/.well-known/installation-probe'
export const probeHeader = 'x-installation-probe'

type Keys = Pick<Services['keys'], 'blind'>

/** Only who has the master key can ask, and only what has it can answer. */
export const askedBy = (keys: Keys, nonce: string): string => `${nonce}.${keys.blind(`probe asks ${nonce}`)}`
export const answeredBy = (keys: Keys, nonce: string): string => keys.blind(`probe answers ${nonce}`)
/** An address that is compared, not told. */
export const blindClient = (keys: Keys, client: string): string => keys.blind(`probe client ${client}`)

export type ProbeAnswer = {
  answer: string
  /** What the program makes of the request: whether a proxy forwarded it, and one that it trusts. */
  isForwarded: boolean
  isPeerTrusted: boolean
  protocol: string
  client: string
}

/**
 * Answers whoever looks after this installation (`npm run doctor`) that PUBLIC_URL leads here, and how a request arrives. Anybody else
 * finds nothing at this address.
 */
export function mountProbe(app: FastifyInstance, { keys, config }: Pick<Services, 'keys' | 'config'>): void {
  const isTrusted = trusting(config.trustProxy)
  app.get(probePath, async (request, reply) => {
    const nonce = nonceIn(keys, request.headers[probeHeader])
    if (nonce === undefined) return reply.callNotFound()
    const found: ProbeAnswer = {
      answer: answeredBy(keys, nonce),
      isForwarded: request.headers['x-forwarded-for'] !== undefined,
      isPeerTrusted: isTrusted(request.socket.remoteAddress),
      protocol: request.protocol,
      client: blindClient(keys, clientOf(request.ip)),
    }
    return reply.header('cache-control', 'no-store').send(found)
  })
}

function nonceIn(keys: Keys, header: unknown): string | undefined {
  const [, nonce] = /^([\w-]{16,64})\.[\w-]{43}$/.exec(String(header)) ?? []
  if (nonce === undefined) return undefined
  const [given, expected] = [Buffer.from(String(header)), Buffer.from(askedBy(keys, nonce))]
  return given.length === expected.length && timingSafeEqual(given, expected) ? nonce : undefined
}
