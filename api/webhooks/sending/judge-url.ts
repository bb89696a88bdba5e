import { networkInterfaces } from 'node:os'
import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { isLoopbackName } from '../../is-loopback-name.ts'
import { judgeAddress } from './judge-address.ts'

export type UrlProblem = 'invalid' | 'https' | 'port' | 'private' | 'own_site'

type Settings = Pick<Config, 'isProduction' | 'publicUrl' | 'port' | 'webhookPrivateHosts'>

/** Of those above 1023, what speaks something else (the Fetch standard’s list of bad ports) or is a database. */
const refusedPorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 5984, 6000,
  6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9200, 9300, 10080, 11211, 27017,
])

/** Without the brackets of IPv6 and the root’s full stop, which change nothing of where it leads. */
export const hostOf = ({ hostname }: URL): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '')

export const isThisMachine = (host: string): boolean => isLoopbackName(host) || host === '::1'

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** What can be said of an address before its name is resolved. Judged when it is saved, and again before each attempt. */
export function judgeUrl(config: Settings, url: URL): UrlProblem | undefined {
  const host = hostOf(url)
  if (host === '' || url.username || url.password) return 'invalid'
  const isHere = isThisMachine(host) && !config.isProduction
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) return 'https'
  if (isOwnSite(config, url)) return 'own_site'
  if (isHere || isNamed(config, host)) return undefined
  if (isIP(host) ? judgeAddress(host) !== 'public' : isLocalName(host)) return 'private'
  const port = portOf(url)
  return port === 443 || (port > 1023 && !refusedPorts.has(port)) ? undefined : 'port'
}

export const isNamed = ({ webhookPrivateHosts }: Settings, host: string): boolean =>
  webhookPrivateHosts.has(host)

/** What no name server of the public answers for, and those of this machine might. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/.test(host)

/** On a developer’s machine everything is at the same name: there it is the port that counts. */
function isOwnSite({ publicUrl, port, isProduction }: Settings, url: URL): boolean {
  const asked = portOf(url)
  if (hostOf(url) === hostOf(publicUrl)) return isProduction || asked === portOf(publicUrl) || asked === port
  return isThisMachine(hostOf(url)) && asked === port
}

/** Whether a connection may be made to what the name of the address resolved to. */
export function mayConnect(config: Settings, host: string, address: string): boolean {
  const kind = judgeAddress(address)
  if (kind === 'never') return false
  if (isNamed(config, host)) return true
  if (kind === 'loopback') return !config.isProduction && isThisMachine(host)
  // Past the firewall, services listen at the addresses of this machine.
  return kind === 'public' && !ownAddresses().has(address)
}

const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)))
