import { expect, test } from 'vitest'
import { clientsFor } from './client-behind-proxy.ts'

const clientOf = (trustProxy: false | string, remoteAddress: string, forwarded?: string) =>
  clientsFor({ trustProxy })({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress } as never,
  })

test.each([
  [false, '203.0.113.1', undefined, '203.0.113.1'],
  [false, '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['loopback', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['loopback', '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['loopback', '127.0.0.1', 'made up, 198.51.100.1', '198.51.100.1'],
  ['loopback,10.0.0.0/8', '127.0.0.1', '192.0.2.1, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
  ['loopback', '127.0.0.1', '127.0.0.2, 127.0.0.3', '127.0.0.2'],
  ['loopback', '127.0.0.1', '2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ['loopback', '127.0.0.1', undefined, '127.0.0.1'],
] as const)(
  'with TRUST_PROXY %s, a request from %s for %s comes from %s',
  (trust, remote, forwarded, client) => {
    expect(clientOf(trust, remote, forwarded)).toBe(client)
  },
)
