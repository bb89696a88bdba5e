import type { FastifyRequest } from 'fastify'
import type { Access, Endpoint } from '#contract/endpoint.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { makeCaller, type Caller } from '../sessions/caller.ts'
import { findCookieSession, findSessionByToken } from '../sessions/session.queries.ts'
import { xsrfTokenOf } from '../sessions/tokens.ts'
import { hashSecret } from '../keys.ts'
import { Refused } from '../refused.ts'
import { readRefreshToken, readXsrfToken } from './cookies.ts'
import { findPhone, type Phone } from '../kyc/handoff/handoff.queries.ts'
import type { CookieSession } from './handler.ts'

/** Who is let in, decided before the body is read. */
export async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  services: Services,
): Promise<Caller | CookieSession | Phone | undefined> {
  if (!endpoint.withoutAppId && request.headers['x-app-id'] !== services.config.appId)
    throw new Refused('app_unknown')
  if (request.method !== 'GET') demandOwnOrigin(request, services.config)
  return admitCaller(endpoint.access, request, services)
}

/**
 * A browser says where a request comes from; a state-changing one must come from our own pages. Other clients send
 * neither header and cannot be tricked into carrying somebody's cookies.
 */
function demandOwnOrigin(request: FastifyRequest, config: Config): void {
  const origin = request.headers.origin
  const site = request.headers['sec-fetch-site']
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
  const isOwnOrigin =
    origin === undefined ||
    origin === config.publicUrl.origin ||
    origin === `${request.protocol}://${request.host}`
  if (!isOwnSite || !isOwnOrigin) throw new Refused('xsrf_failed')
}

async function admitCaller(
  access: Access,
  request: FastifyRequest,
  services: Services,
): Promise<Caller | CookieSession | Phone | undefined> {
  if (access.who === 'anyone') return undefined
  if (access.who === 'session') return admitCookieSession(request, services)
  if (access.who === 'phone') return admitPhone(request, services)
  const token = request.headers['x-access-token']
  if (typeof token !== 'string' || token === '') throw new Refused('unauthenticated')
  const known = await findSessionByToken(services.db, hashSecret(token))
  if (!known) throw new Refused('session_expired')
  const needs = access.who === 'staff' ? access : undefined
  const caller = makeCaller(known, needs, services.config.isStaffSecondFactorRequired)
  if (needs && !needs.orSelf) caller.demandStaff()
  return caller
}

/** Found before the body is read: a stranger makes the server take in nothing large. */
async function admitPhone(request: FastifyRequest, { db }: Services): Promise<Phone> {
  const secret = request.headers['x-phone-secret']
  if (typeof secret !== 'string' || secret === '') throw new Refused('unauthenticated')
  const found = await findPhone(db, hashSecret(secret))
  if (!found) throw new Refused('session_expired')
  return found
}

async function admitCookieSession(request: FastifyRequest, services: Services): Promise<CookieSession> {
  const refreshToken = readRefreshToken(request)
  if (!refreshToken) throw new Refused('unauthenticated')
  const xsrfToken = readXsrfToken(request)
  if (!xsrfToken || xsrfToken !== xsrfTokenOf(refreshToken)) throw new Refused('xsrf_failed')
  const found = await findCookieSession(services.db, hashSecret(refreshToken))
  if (!found) throw new Refused('session_expired')
  return found
}
