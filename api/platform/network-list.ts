import { BlockList, isIP } from 'node:net'

export const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** Creates a block list from addresses and networks such as `203.0.113.0/24`. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', bits] = network.split('/')
    const family = familyOf(base)
    list.addSubnet(base, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return list
}

/**
 * Returns the /48 that contains a client's IPv6 /64: many providers assign it to one customer, who then has 65,536 of
 * them. Undefined for other clients: IPv4 addresses are not assigned in blocks to everyone.
 */
export function widerNetworkOf(client: string): string | undefined {
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(client)
  return groups ? `${groups[1]}::/48` : undefined
}
