import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { languages, siteLanguages, type Language } from '#contract/platform/languages.ts'
import { workHeader } from '#contract/platform/proof-of-work.ts'
import type { Config } from '../config/config.ts'
import { readActivationProof, readDeviceToken, readRefreshToken, readXsrfToken } from './cookies.ts'
import type { RequestFacts } from './handler.ts'
import { timingSafeEqual } from 'node:crypto'

export const factsOf = (
  request: FastifyRequest,
  config: Pick<Config, 'publicUrl' | 'metricsToken'>,
): RequestFacts => ({
  id: request.id,
  language: languageOf(request.headers['accept-language']),
  client: clientOf(request.ip),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
  accept: request.headers.accept,
  isSecure: request.protocol === 'https',
  refreshToken: readRefreshToken(request, isSecureRequest(request, config)),
  deviceToken: readDeviceToken(request, isSecureRequest(request, config)),
  xsrfToken: readXsrfToken(request),
  activationProof: readActivationProof(request),
  isWatcher: hasBearer(request.headers.authorization, config.metricsToken),
  proofOfWork: request.headers[workHeader]?.toString(),
  idempotencyKey: request.headers['idempotency-key']?.toString(),
})

/** A proxy in front may use HTTPS without saying so. */
export const isSecureRequest = (request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): boolean =>
  request.protocol === 'https' || publicUrl.protocol === 'https:'

/**
 * The language with the highest weight decides: `zh*` and `cn` are Chinese, and unsupported languages become
 * English.
 */
export function languageOf(header: string | undefined): Language {
  let best = { weight: 0, tag: 'en' }
  for (const part of (header ?? '').slice(0, 200).split(',')) {
    const [tag = '', quality] = part.trim().split(';q=')
    const weight = quality === undefined ? 1 : Number(quality)
    if (weight > best.weight) best = { weight, tag }
  }
  const [primary = ''] = best.tag.toLowerCase().split('-')
  const isOf = (language: Language) =>
    language === primary || siteLanguages[language].tag.toLowerCase().split('-')[0] === primary
  return languages.find(isOf) ?? 'en'
}

/** Converts an IPv4-mapped IPv6 address to IPv4, and removes the interface name of an address. */
export const unmapped = (ip: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? (ip.split('%')[0] || ip)

export function clientOf(ip: string): string {
  const address = unmapped(ip)
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const front = head.split(':').filter(Boolean)
  const back = tail.split(':').filter(Boolean)
  const groups = address.includes('::')
    ? [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
    : front
  return (
    groups
      .slice(0, 4)
      .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
      .join(':') + '::/64'
  )
}

/** Whether a request carries this token (RFC 6750), compared in constant time. False if there is no token. */
export function hasBearer(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return false
  const [given, expected] = [Buffer.from(authorization ?? ''), Buffer.from(`Bearer ${token}`)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
