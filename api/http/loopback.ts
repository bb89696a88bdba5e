import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** A host name as URLs have it: `localhost`, a name under it, or an address of this machine (RFC 6761, 6.3; RFC 1122). */
export function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    (isIPv4(name) && name.startsWith('127.'))
  )
}

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
