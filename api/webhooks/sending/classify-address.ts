import { isIP, SocketAddress } from 'node:net'
import { familyOf, networkList } from '../../network-list.ts'

/**
 * How an address typed by operators is treated. `never`: always refused, because it may target the machine
 * itself, such as cloud metadata.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'never'

/** Special-purpose addresses (RFC 6890), multicast and reserved ones, and cloud metadata, in order of precedence. */
const ranges4 = {
  never: networkList([
    // Alibaba’s metadata, in the carrier-grade NAT range.
    '100.100.100.200',
    // Azure’s metadata, which looks public.
    '168.63.129.16',
    '0.0.0.0/8',
    '169.254.0.0/16',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3',
  ]),
  loopback: networkList(['127.0.0.0/8']),
  private: networkList(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']),
}

/** Tunnels (Teredo, 6to4) and documentation ranges are refused as well. */
const ranges6 = {
  never: networkList([
    'fd00:ec2::254',
    'fd20:ce::254',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '2620:4f:8000::/48',
    '3fff::/20',
  ]),
  loopback: networkList(['::1']),
  private: networkList(['fc00::/7']),
}

/** The only allocated range. */
const globalUnicast = networkList(['2000::/3'])
/** ISATAP: an IPv4 address within any prefix. */
const isatap = /:(?:0|200)?:5efe:(?:[\da-f]+:[\da-f]+|:)$/

export function classifyAddress(address: string): AddressKind {
  // A zone ID belongs to this machine.
  if (isIP(address) === 0 || address.includes('%')) return 'never'
  const family = familyOf(address)
  const ranges = family === 'ipv4' ? ranges4 : ranges6
  for (const kind of ['never', 'loopback', 'private'] as const)
    if (ranges[kind].check(address, family)) return kind
  if (family === 'ipv4') return 'public'
  const isTunnel = isatap.test(new SocketAddress({ address, family }).address)
  return globalUnicast.check(address, family) && !isTunnel ? 'public' : 'never'
}
