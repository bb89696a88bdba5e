import { isIP } from 'node:net'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import { isLoopbackName } from '../is-loopback-name.ts'
import type { SettingReader } from './setting-reader.ts'

/** Reads where the site is served, and whether it is in production. */
export function readSite(settings: SettingReader, { databaseUrl }: { databaseUrl: string | undefined }) {
  const { given, refuse, oneOf, wholeNumber } = settings
  const port = wholeNumber('PORT', 3000, 0, 65535)
  const publicUrl = readPublicUrl(settings, port)
  const isLocal = isLoopbackName(publicUrl.hostname)
  const isReachable = databaseUrl || !isLocal || publicUrl.protocol === 'https:'
  const mode = oneOf('NODE_ENV', ['production', 'development'], isReachable ? 'production' : 'development')
  return {
    isProduction: mode === 'production',
    isLocal,
    host: given('HOST') ?? '127.0.0.1',
    port,
    publicUrl,
    trustProxy: readTrustProxy(given('TRUST_PROXY'), (demand) => refuse('TRUST_PROXY', demand)),
    strictTransport: strictTransportOf(
      wholeNumber('HSTS_DAYS', 365, 0, 3650),
      oneOf('HSTS_SCOPE', strictTransportScopes, 'host'),
      (demand) => refuse('HSTS_DAYS', demand),
    ),
  }
}

function readPublicUrl({ refuse, url }: SettingReader, port: number): URL {
  const publicUrl = new URL(url('PUBLIC_URL', ['http', 'https']) ?? `http://localhost:${port}`)
  if (publicUrl.pathname !== '/' || publicUrl.search || publicUrl.hash || publicUrl.username)
    refuse(
      'PUBLIC_URL',
      'must be an address such as https://coin.example, with nothing after the host and port',
    )
  return publicUrl
}

/** A bare `true` is refused, because it would let every client choose its own address. */
function readTrustProxy(text: string | undefined, refuse: (demand: string) => never): false | string {
  if (text === undefined || text === 'off' || text === 'false') return false
  return text.split(',').every((part) => isNetwork(part.trim()))
    ? text
    : refuse('must be off, loopback, or the addresses or networks of the proxies, separated by commas')
}

/** An address, a network in CIDR notation, or one of Fastify's names for sets of them. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  // Fastify accepts no network of all addresses.
  const length = Number(prefix ?? bits)
  return bits > 0 && length > 0 && length <= bits
}

const further = {
  host: '',
  subdomains: '; includeSubDomains',
  preload: '; includeSubDomains; preload',
} as const
type StrictTransportScope = keyof typeof further
const strictTransportScopes = Object.keys(further) as StrictTransportScope[]

/**
 * Returns the value of the HSTS header. Subdomains are only included on request, because others may serve them without
 * TLS. Zero days revokes an earlier header.
 */
function strictTransportOf(
  days: number,
  scope: StrictTransportScope,
  refuse: (demand: string) => never,
): string {
  // Required by the preload list of browsers (hstspreload.org).
  if (scope === 'preload' && days < 365) refuse('must be 365 or more if HSTS_SCOPE is preload')
  return `max-age=${(days * DAY) / SECOND}${further[scope]}`
}
