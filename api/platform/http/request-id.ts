import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.ts'
import { trusting } from './trusted-networks.ts'

/** Header that identifies a request in its response, in the log, and in traces. */
export const requestIdHeader = 'x-request-id'

/**
 * Formats used by proxies: hexadecimal digits, UUIDs, ULIDs. Excludes email addresses and line breaks in the
 * log.
 */
const wellFormed = /^[\w.:-]{8,100}$/

/**
 * The ID that a trusted proxy gave to the request, or else a new one, because untrusted clients must not choose
 * it.
 */
export function requestIdsFor({
  trustProxy,
}: Pick<Config, 'trustProxy'>): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string {
  const isTrusted = trusting(trustProxy)
  return ({ headers, socket }) => {
    const given = headers[requestIdHeader]
    return typeof given === 'string' && wellFormed.test(given) && isTrusted(socket.remoteAddress)
      ? given
      : randomUUID()
  }
}
