import type { FastifyRequest } from 'fastify'
import { isLoopbackName } from '../is-loopback-name.ts'

/** The headers that proxies add. One that adds none speaks HTTP/1.0, or names itself in `Via` (RFC 9110, 7.6.3). */
const isOfProxy = (header: string): boolean =>
  /^(x-forwarded-|forwarded$|via$|x-real-ip$|x-client-ip$|true-client-ip$|cf-|x-original-)/.test(header)

/**
 * Whether a person at this machine asks this machine, with nothing in between. What decides is the connection and the
 * headers as they came: TRUST_PROXY, which may be set too widely, has no say.
 */
export function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? ''
  const isLocalClient = address === '::1' || /^(::ffff:)?127\./.test(address)
  const host = `http://${headers.host ?? ''}`
  return (
    isLocalClient &&
    raw.httpVersion !== '1.0' &&
    !Object.keys(headers).some(isOfProxy) &&
    URL.canParse(host) &&
    isLoopbackName(new URL(host).hostname)
  )
}
