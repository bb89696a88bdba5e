import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { StartRefused } from '../start-refused.ts'

const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]*,[^/?@]*)((?:[/?].*)?)$/

/**
 * Splits an address with several hosts, `postgres://user:password@one:5432,two:5432/app`, into one address per host, in
 * order.
 */
export function addressesOf(url: string): string[] {
  const [, before, hosts, after] = severalHosts.exec(url) ?? []
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host.trim()}${after}`)
}

/** Returns the hosts and ports of an address for messages, which must not contain anything else of it. */
export const hostsOf = (url: string): string =>
  addressesOf(url)
    .map((address) => new URL(address))
    .map(({ host, searchParams }) => host || (searchParams.get('host') ?? ''))
    .join(', ')

const modes = ['disable', 'no-verify', 'prefer', 'allow', 'require', 'verify-ca', 'verify-full']
const files = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const

/**
 * Returns the `pg` configuration for one host. Any TLS mode verifies the certificate, even `require` and `prefer`,
 * because encryption to an unverified server gives no protection. `verify-ca` skips the host name, and `no-verify`
 * skips verification.
 */
export function clientConfigOf(address: string): ClientConfig {
  const url = new URL(address)
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !modes.includes(mode))
    throw new StartRefused(`In DATABASE_URL, sslmode must be one of ${modes.join(', ')}.`)
  const ssl = readTls(url.searchParams, mode)
  for (const name of ['sslmode', 'uselibpqcompat', 'target_session_attrs', ...Object.keys(files)])
    url.searchParams.delete(name)
  return { connectionString: url.href, ...(ssl !== undefined && { ssl }) }
}

function readTls(given: URLSearchParams, mode: string | null): boolean | ConnectionOptions | undefined {
  if (mode === 'disable') return false
  const read: ConnectionOptions = {}
  for (const [name, option] of Object.entries(files)) {
    const path = given.get(name)
    // libpq uses this word for the system's certificate authorities.
    if (path && path !== 'system') read[option] = readPart(name, path)
  }
  if (mode === null && Object.keys(read).length === 0) return undefined
  if (mode === 'no-verify') return { ...read, rejectUnauthorized: false }
  return mode === 'verify-ca' ? { ...read, checkServerIdentity: () => undefined } : read
}

function readPart(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartRefused(`The ${name} file in DATABASE_URL can’t be read (${code}): ${path}.`)
  }
}
