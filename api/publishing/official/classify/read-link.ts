import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { signOf, type Sign } from './clean-text.ts'

export type ReadLink = {
  /** Host as browsers see it, in lower case; used for comparison. */
  host: string
  /** Host in its own script. */
  spelled: string
  port: string
  scheme: string
  /** Path as given, without trailing slashes. */
  path: string
  segments: readonly string[]
  search: URLSearchParams
  /** Fragment as given, including `#`. */
  hash: string
  /** Everything after the host, in plain letters. */
  rest: string
  /** Signs of disguise, regardless of the destination. */
  signs: Sign[]
}

/** Schemes that run code, or display content contained in the link. */
const dangerous = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|jar|intent):/i
export const dangerousScheme = (text: string): string | undefined =>
  dangerous.exec(text.replaceAll(/\s/g, ''))?.[0].toLowerCase()

const withScheme = /^([a-z][a-z\d+.-]*):(?:\/\/|\\\\)/i

/** Parses a possible link, even without a scheme; `undefined` if no browser would follow it. */
export function readLink(text: string): ReadLink | undefined {
  const compact = text.replaceAll(/\s/g, '')
  const scheme = withScheme.exec(compact)?.[1]?.toLowerCase()
  const isWeb = scheme === undefined || scheme === 'http' || scheme === 'https'
  const rest = scheme === undefined ? compact.replace(/^[/\\]{2}/, '') : compact.slice(scheme.length + 3)
  const address = `${scheme === 'http' ? 'http' : 'https'}://${rest}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || url.hostname === '') return undefined
  const host = url.hostname.replace(/\.$/, '')
  const spelled = domainToUnicode(host) || host
  const signs = signsIn(rest, host, spelled)
  if (!isWeb) signs.push(signOf('other_scheme', `${scheme}:`))
  return {
    host,
    spelled,
    port: url.port,
    scheme: scheme ?? '',
    path: url.pathname.replace(/\/+$/, ''),
    segments: url.pathname.split('/').filter(Boolean).map(decoded),
    search: url.searchParams,
    hash: url.hash,
    rest: decoded(url.pathname + url.search + url.hash),
    signs,
  }
}

/** Returns the signs of a disguised or unusual host. `given` is the link without its scheme. */
function signsIn(given: string, host: string, spelled: string): Sign[] {
  const signs: Sign[] = []
  const authority = /^[^/?#]*/.exec(given)?.[0] ?? ''
  const at = authority.lastIndexOf('@')
  const givenHost = authority
    .slice(at + 1)
    .replace(/\\.*$/, '')
    .replace(/:\d*$/, '')
  // Some programs treat it as a slash, others as part of the host.
  if (given.includes('\\')) signs.push(signOf('backslash', given))
  if (at !== -1) signs.push(signOf('user_info', authority.slice(0, at)))
  if (/%[\da-f]{2}/i.test(givenHost)) signs.push(signOf('escaped', givenHost))
  if (/(?:^|\.)xn--/i.test(givenHost)) signs.push(signOf('punycode', givenHost, spelled))
  const mixed = spelled.split('.').find(isMixed)
  if (mixed !== undefined) signs.push(signOf('mixed_scripts', mixed))
  if (/^\[|^\d+\.\d+\.\d+\.\d+$/.test(host)) signs.push(signOf('ip_address', host))
  return signs
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const scripts = 'Latin Cyrillic Greek Armenian Cherokee Coptic Georgian Hebrew Arabic Thai'.split(' ')
const ofScript = scripts.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))
/** Chinese, Japanese, and Korean commonly occur beside Latin letters. */
const isMixed = (label: string): boolean => ofScript.filter((script) => script.test(label)).length > 1

export type Domain = {
  /** Registered domain: `coin.example` for `www.coin.example`. */
  domain: string
  /** Its first label, for example `coin`. */
  name: string
  /** Subdomain before it. */
  below: string
}

/** `undefined` for hosts that can't be registered, such as `localhost`. */
export function domainOf(host: string): Domain | undefined {
  const { domain, domainWithoutSuffix, subdomain } = parse(domainToASCII(host) || host, {
    allowPrivateDomains: true,
  })
  if (!domain || !domainWithoutSuffix) return undefined
  const spell = (text: string) => domainToUnicode(text) || text
  return { domain: spell(domain), name: spell(domainWithoutSuffix), below: subdomain ? spell(subdomain) : '' }
}
