import type { FastifyRequest } from 'fastify'
import { isLoopbackName } from '../is-loopback-name.ts'

/** Headers that proxies add. Other proxies use HTTP/1.0 or identify themselves in `Via` (RFC 9110, 7.6.3). */
const isOfProxy = (header: string): boolean =>
  /^(x-forwarded-|forwarded$|via$|x-real-ip$|x-client-ip$|true-client-ip$|cf-|x-original-)/.test(header)

/**
 * Whether a person on this machine makes the request, with nothing in between. Only the connection and the raw
 * headers count, not TRUST_PROXY, which may be too wide.
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
