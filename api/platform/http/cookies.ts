import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import type { Answer } from './handler.ts'

const xsrfCookie = 'XSRF-TOKEN'
const activationCookie = 'activated'

/**
 * Over HTTPS the name has the prefix `__Host-`: browsers then accept the cookie only from this host and over
 * HTTPS, so no other subdomain can set one. The prefix requires the path `/`. Without HTTPS the path is as
 * narrow as possible.
 */
const hostOnly = (name: string, isSecure: boolean) => (isSecure ? `__Host-${name}` : name)

/** Scripts can't read the session and device cookies. */
export function cookiesOf(
  reply: FastifyReply,
  base: string,
  isSecure: boolean,
): Pick<
  Answer,
  'setSessionCookies' | 'setRefreshCookie' | 'setDeviceCookie' | 'clearSessionCookies' | 'setActivationCookie'
> {
  const everywhere = { path: '/', sameSite: 'lax', secure: isSecure } satisfies CookieSerializeOptions
  const hidden = {
    ...everywhere,
    path: isSecure ? '/' : `${base}members`,
    httpOnly: true,
  } satisfies CookieSerializeOptions
  const setHidden = (name: string) => (token: string, maxAge: number) =>
    void reply.setCookie(hostOnly(name, isSecure), token, {
      ...hidden,
      maxAge: Math.floor(maxAge / SECOND),
    })
  const setRefreshCookie = setHidden('refresh')
  return {
    setRefreshCookie,
    setDeviceCookie: setHidden('device'),
    setSessionCookies(refreshToken, xsrfToken, maxAge) {
      setRefreshCookie(refreshToken, maxAge)
      void reply.setCookie(xsrfCookie, xsrfToken, { ...everywhere, maxAge: Math.floor(maxAge / SECOND) })
    },
    clearSessionCookies() {
      void reply.clearCookie(hostOnly('refresh', isSecure), hidden)
      void reply.clearCookie(xsrfCookie, everywhere)
    },
    setActivationCookie(proof) {
      void reply.setCookie(activationCookie, proof, {
        ...hidden,
        path: `${base}members`,
        maxAge: DAY / SECOND,
      })
    },
  }
}

export const readRefreshToken = (request: FastifyRequest, isSecure: boolean): string | undefined =>
  request.cookies[hostOnly('refresh', isSecure)]

export const readDeviceToken = (request: FastifyRequest, isSecure: boolean): string | undefined =>
  request.cookies[hostOnly('device', isSecure)]

export const readActivationProof = (request: FastifyRequest): string | undefined =>
  request.cookies[activationCookie]

/** The XSRF token if header and cookie are equal (double submit, OWASP CSRF cheat sheet). */
export function readXsrfToken(request: FastifyRequest): string | undefined {
  const header = request.headers['x-xsrf-token']
  return typeof header === 'string' && header !== '' && header === request.cookies[xsrfCookie]
    ? header
    : undefined
}
