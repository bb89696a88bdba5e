import type { FastifyRequest } from 'fastify'
import { apiTokenPrefix } from '#contract/people/api-tokens.ts'
import type { Access, Endpoint } from '#contract/platform/endpoint.ts'
import type { Config } from '../config/config.ts'
import type { Services } from '../services.ts'
import type { Tx } from '../db/database.ts'
import { hashSecret } from '../keys.ts'
import { Refused } from '../refused.ts'
import { makeCaller, type Caller, type KnownSession } from './caller.ts'
import { readRefreshToken, readXsrfToken } from './cookies.ts'
import type { CookieSession, Phone } from './handler.ts'
import { isSecureRequest } from './request-facts.ts'

/** Look up the caller by the hash of a secret. Passed in, because `http` must not import domain modules. */
export type Authenticators = {
  session(db: Tx, tokenHash: string): Promise<KnownSession | undefined>
  cookieSession(db: Tx, refreshHash: string): Promise<(CookieSession & { xsrfHash: string }) | undefined>
  phone(db: Tx, secretHash: string): Promise<Phone | undefined>
  /** Throws if the token is not valid, or not for this call. */
  machine(services: Services, token: string, endpoint: Endpoint, ip: string): Promise<KnownSession>
}

/** RFC 6750, section 2.1; case-insensitive (RFC 9110, section 11.1). */
const scheme = /^bearer +/i
const inAddress = new RegExp(`[?&]access_token=|${apiTokenPrefix}[0-9a-z]{20}`, 'i')

/**
 * The API token of a request, as it was sent. Other bearer tokens, such as the one for metrics, are ignored.
 *
 * In a URL it would appear in the logs of every proxy, and next to a session the actor would be ambiguous: both
 * are refused, whether the token is valid or not.
 */
function readMachineToken(request: FastifyRequest, isSecure: boolean): string | undefined {
  if (inAddress.test(request.url)) throw new Refused('token_misused')
  const { authorization = '' } = request.headers
  if (!scheme.test(authorization)) return undefined
  const token = authorization.replace(scheme, '')
  if (!token.startsWith(apiTokenPrefix)) return undefined
  const { headers } = request
  const hasSession =
    headers['x-access-token'] !== undefined ||
    headers['x-phone-secret'] !== undefined ||
    readRefreshToken(request, isSecure) !== undefined
  if (hasSession) throw new Refused('token_misused')
  return token
}

/** Authenticates and authorizes a request before its body is read. */
export async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  services: Services,
  authenticators: Authenticators,
): Promise<Caller | CookieSession | Phone | undefined> {
  if (!endpoint.withoutAppId && request.headers['x-app-id'] !== services.config.appId)
    throw new Refused('app_unknown')
  if (request.method !== 'GET') requireOwnOrigin(request, services.config)
  const token = readMachineToken(request, isSecureRequest(request, services.config))
  if (token !== undefined) {
    const known = await authenticators.machine(services, token, endpoint, request.ip)
    return admitMachine(known, endpoint.access, services.config)
  }
  return admitCaller(endpoint.access, request, services, authenticators)
}

/**
 * An API token has levels only and owns no records, so a call that is open to owners also requires the level.
 */
function admitMachine(
  known: KnownSession,
  access: Access,
  { isStaffSecondFactorRequired }: Config,
): Caller | undefined {
  if (access.who === 'anyone') return undefined
  if (access.who !== 'staff') throw new Refused('person_required')
  const caller = makeCaller(known, access, isStaffSecondFactorRequired)
  caller.requireStaff()
  return caller
}

/**
 * Browsers send the origin of a request; a state-changing one must come from our own pages. Other clients send
 * neither header and cannot be tricked into sending someone's cookies.
 */
function requireOwnOrigin(request: FastifyRequest, config: Config): void {
  const origin = request.headers.origin
  const site = request.headers['sec-fetch-site']
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
  const isOwnOrigin =
    origin === undefined ||
    origin === config.publicUrl.origin ||
    // On a developer's machine the site has several names. A public site has one, because clients choose the
    // `Host` header.
    (config.isLocal && origin === `${request.protocol}://${request.host}`)
  if (!isOwnSite || !isOwnOrigin) throw new Refused('xsrf_failed')
}

async function admitCaller(
  access: Access,
  request: FastifyRequest,
  services: Services,
  authenticators: Authenticators,
): Promise<Caller | CookieSession | Phone | undefined> {
  if (access.who === 'anyone') return undefined
  if (access.who === 'session') return admitCookieSession(request, services, authenticators)
  if (access.who === 'phone') return admitPhone(request, services, authenticators)
  const token = request.headers['x-access-token']
  if (typeof token !== 'string' || token === '') throw new Refused('unauthenticated')
  const known = await authenticators.session(services.db, hashSecret(token))
  if (!known) throw new Refused('session_expired')
  const needs = access.who === 'staff' ? access : undefined
  const caller = makeCaller(known, needs, services.config.isStaffSecondFactorRequired)
  if (needs && !needs.orSelf) caller.requireStaff()
  return caller
}

/** Checked before the body is read, so that an unauthenticated client cannot upload large data. */
async function admitPhone(
  request: FastifyRequest,
  { db }: Services,
  authenticators: Authenticators,
): Promise<Phone> {
  const secret = request.headers['x-phone-secret']
  if (typeof secret !== 'string' || secret === '') throw new Refused('unauthenticated')
  const found = await authenticators.phone(db, hashSecret(secret))
  if (!found) throw new Refused('session_expired')
  return found
}

async function admitCookieSession(
  request: FastifyRequest,
  services: Services,
  authenticators: Authenticators,
): Promise<CookieSession> {
  const refreshToken = readRefreshToken(request, isSecureRequest(request, services.config))
  if (!refreshToken) throw new Refused('unauthenticated')
  const xsrfToken = readXsrfToken(request)
  if (!xsrfToken) throw new Refused('xsrf_failed')
  const found = await authenticators.cookieSession(services.db, hashSecret(refreshToken))
  if (!found) throw new Refused('session_expired')
  const { xsrfHash, ...session } = found
  if (xsrfHash !== hashSecret(xsrfToken)) throw new Refused('xsrf_failed')
  return session
}
