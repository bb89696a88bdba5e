import { networkInterfaces } from 'node:os'
import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { isLoopbackName } from '../../is-loopback-name.ts'
import { classifyAddress } from './classify-address.ts'

export type UrlProblem = 'invalid' | 'https' | 'port' | 'private' | 'own_site'

type Settings = Pick<Config, 'isProduction' | 'publicUrl' | 'port' | 'webhookPrivateHosts'>

/** Ports above 1023 for other protocols (bad ports of the Fetch standard) and databases. */
const refusedPorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 5984, 6000,
  6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9200, 9300, 10080, 11211, 27017,
])

/** Without IPv6 brackets and the trailing dot, which do not change the destination. */
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
