import { networkInterfaces } from 'node:os'
import { isIP, SocketAddress } from 'node:net'
import type { Config } from '../../../platform/config/config.ts'
import { isLoopbackName } from '../../../platform/is-loopback-name.ts'
import { familyOf, networkList } from '../../../platform/network-list.ts'

type UrlProblem = 'invalid' | 'https' | 'port' | 'private' | 'own_site'

type Settings = Pick<Config, 'isProduction' | 'publicUrl' | 'port' | 'webhookPrivateHosts'>

/** Ports above 1023 for other protocols (bad ports of the Fetch standard) and databases. */
const refusedPorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 5984, 6000,
  6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9200, 9300, 10080, 11211, 27017,
])

/** Returns the host without IPv6 brackets and the trailing dot, which do not change the destination. */
export const hostOf = ({ hostname }: URL): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '')

export const isThisMachine = (host: string): boolean => isLoopbackName(host) || host === '::1'

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** Checks an address before its name is resolved: when it is saved, and before each attempt. */
export function validateUrl(config: Settings, url: URL): UrlProblem | undefined {
  const host = hostOf(url)
  if (host === '' || url.username || url.password) return 'invalid'
  const isHere = isThisMachine(host) && !config.isProduction
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) return 'https'
  if (isOwnSite(config, url)) return 'own_site'
  if (isHere || isNamed(config, host)) return undefined
  if (isInside(host)) return 'private'
  return isUsualPort(portOf(url)) ? undefined : 'port'
}

export const isNamed = ({ webhookPrivateHosts }: Settings, host: string): boolean =>
  webhookPrivateHosts.has(host)

const isUsualPort = (port: number): boolean => port === 443 || (port > 1023 && !refusedPorts.has(port))

/** Addresses that aren’t public, and names that this machine’s resolver may answer while public DNS does not. */
function isInside(host: string): boolean {
  if (isIP(host)) return classifyAddress(host) !== 'public'
  return !host.includes('.') || /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/.test(host)
}

/** On a developer’s machine all services share a name, so the port decides. */
function isOwnSite({ publicUrl, port, isProduction }: Settings, url: URL): boolean {
  const asked = portOf(url)
  if (hostOf(url) === hostOf(publicUrl)) return isProduction || asked === portOf(publicUrl) || asked === port
  return isThisMachine(hostOf(url)) && asked === port
}

/** Whether a connection may be made to the resolved address. */
export function canConnect(config: Settings, host: string, address: string): boolean {
  const kind = classifyAddress(address)
  if (kind === 'never') return false
  if (isNamed(config, host)) return true
  if (kind === 'loopback') return !config.isProduction && isThisMachine(host)
  // Behind the firewall, services listen on this machine's own addresses.
  return kind === 'public' && !ownAddresses().has(address)
}

const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)))

/**
 * How an address typed by operators is treated. `never`: always refused, because it may target the machine
 * itself, such as cloud metadata.
 */
type AddressKind = 'public' | 'private' | 'loopback' | 'never'

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

/** The only range of public IPv6 addresses allocated so far. */
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
