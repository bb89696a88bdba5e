import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.ts'
import { clientOf } from './request-facts.ts'
import { trusting } from './trusted-networks.ts'

/**
 * Returns a function that identifies the client of a request that may not have reached the framework. Like the
 * framework, it uses the addresses that trusted proxies add.
 */
export function clientsFor({
  trustProxy,
}: Pick<Config, 'trustProxy'>): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string {
  const isTrusted = trusting(trustProxy)
  return ({ headers, socket: { remoteAddress = '' } }) => {
    const forwarded = isTrusted(remoteAddress) ? headers['x-forwarded-for'] : undefined
    if (forwarded === undefined) return clientOf(remoteAddress)
    // From the nearest proxy on, without splitting the header, because this runs for every page.
    for (let rest = String(forwarded); ;) {
      const comma = rest.lastIndexOf(',')
      const address = rest.slice(comma + 1).trim()
      if (comma < 0 || !isTrusted(address)) return clientOf(address)
      rest = rest.slice(0, comma)
    }
  }
}
