import { BlockList, isIP } from 'node:net'
import { clientOf, unmapped } from '../http/request-facts.ts'
import { widerNetworkOf } from '../proof-of-work/wider-network.ts'

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** Whether a client may use a token with these addresses and networks; with none, anybody may. */
export function isWithin(networks: readonly string[], ip: string): boolean {
  if (networks.length === 0) return true
  const address = unmapped(ip)
  if (isIP(address) === 0) return false
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', prefix] = network.split('/')
    const family = familyOf(base)
    list.addSubnet(base, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return list.check(address, familyOf(address))
}

/** The network of a client, for people to recognise: not where somebody works from, to the last number. */
export function placeOf(ip: string): string {
  const client = clientOf(ip)
  if (isIP(client) === 4) return `${client.split('.').slice(0, 3).join('.')}.0/24`
  return widerNetworkOf(client) ?? ''
}
