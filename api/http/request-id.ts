import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { trusting } from './trusted-networks.ts'

/** Of one request in every answer to it, in the log and in traces. */
export const requestIdHeader = 'x-request-id'

/** What proxies make: hexadecimal digits, UUIDs, ULIDs. Nothing that could be an address of somebody, or break a line of the log. */
const wellFormed = /^[\w.:-]{8,100}$/

/** The id that a trusted proxy gave to the request, else a new one: a stranger chooses none. */
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
