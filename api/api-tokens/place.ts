import { BlockList, isIP } from 'node:net'

const plain = (ip: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? (ip.split('%')[0] || ip)
const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** Whether a client may use a token with these addresses and networks; with none, anybody may. */
export function isWithin(networks: readonly string[], ip: string): boolean {
  if (networks.length === 0) return true
  const address = plain(ip)
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
  const address = plain(ip)
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  if (isIP(address) !== 6) return ''
  const [head = '', tail = ''] = address.split('::')
  const front = head.split(':').filter(Boolean)
  const back = tail.split(':').filter(Boolean)
  const groups = address.includes('::')
    ? [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back]
    : front
  return `${groups
    .slice(0, 3)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/48`
}
