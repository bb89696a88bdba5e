import { isIP } from 'node:net'

/** A bare `true` is refused, because it would let every client choose its own address. */
export function readTrustProxy(text: string | undefined, refuse: (demand: string) => never): false | string {
  if (text === undefined || text === 'off' || text === 'false') return false
  return text.split(',').every((part) => isNetwork(part.trim()))
    ? text
    : refuse('must be off, loopback, or the addresses or networks of the proxies, separated by commas')
}

/** An address, a network in CIDR notation, or one of Fastify's names for sets of them. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  // Fastify accepts no network of all addresses.
  const length = Number(prefix ?? bits)
  return bits > 0 && length > 0 && length <= bits
}
