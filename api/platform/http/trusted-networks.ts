import { BlockList, isIP } from 'node:net'
import type { Config } from '../config/config.ts'

/** Names of address sets in TRUST_PROXY, as defined by Fastify. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

const familyOf = (address: string): Network['family'] => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** The networks of TRUST_PROXY; a single address is a network of one. */
function networksOf(trustProxy: Config['trustProxy']): Network[] {
  if (trustProxy === false) return []
  return trustProxy
    .split(',')
    .flatMap((part) => named[part.trim()] ?? [part.trim()])
    .map((network) => {
      const [address = '', prefix] = network.split('/')
      const family = familyOf(address)
      return { address, family, prefix: Number(prefix ?? (family === 'ipv4' ? 32 : 128)) }
    })
}

/** Returns a function that tells whether an address is a trusted proxy. */
export function trusting(trustProxy: Config['trustProxy']): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const { address, prefix, family } of networksOf(trustProxy)) list.addSubnet(address, prefix, family)
  return (given = '') => {
    const [address = ''] = given.split('%')
    return isIP(address) !== 0 && list.check(address, familyOf(address))
  }
}

/** Shorter than any network of a proxy provider: a wider one contains visitors. */
const shortestPrefix = { ipv4: 8, ipv6: 16 } as const

/** Whether TRUST_PROXY also includes visitors, who could then choose their own address. */
export const isTooWide = (trustProxy: Config['trustProxy']): boolean =>
  networksOf(trustProxy).some(
    ({ prefix, family, address }) => prefix < shortestPrefix[family] && !isPrivate(address),
  )

/** `fc00::/7` and `fe80::/10` are private networks. */
const isPrivate = (address: string): boolean => /^f[cde]/i.test(address)
