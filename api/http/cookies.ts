import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '#contract/durations.ts'
import type { Answer } from './handler.ts'

const refreshCookie = 'refresh'
const xsrfCookie = 'XSRF-TOKEN'

/** The refresh cookie travels to the member calls only, and no script can read it. */
export function cookiesOf(
  reply: FastifyReply,
  base: string,
  isSecure: boolean,
): Pick<Answer, 'setSessionCookies' | 'clearSessionCookies'> {
  const refresh = {
    path: `${base}members`,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  } satisfies CookieSerializeOptions
  const xsrf = { path: '/', sameSite: 'lax', secure: isSecure } satisfies CookieSerializeOptions
  return {
    setSessionCookies(refreshToken, xsrfToken, maxAge) {
      void reply.setCookie(refreshCookie, refreshToken, { ...refresh, maxAge: Math.floor(maxAge / SECOND) })
      void reply.setCookie(xsrfCookie, xsrfToken, { ...xsrf, maxAge: Math.floor(maxAge / SECOND) })
    },
    clearSessionCookies() {
      void reply.clearCookie(refreshCookie, refresh)
      void reply.clearCookie(xsrfCookie, xsrf)
    },
  }
}

export const readRefreshToken = (request: FastifyRequest): string | undefined =>
  request.cookies[refreshCookie]

/** The XSRF token, when header and cookie carry the same one (double submit, OWASP CSRF cheat sheet). */
export function readXsrfToken(request: FastifyRequest): string | undefined {
  const header = request.headers['x-xsrf-token']
  return typeof header === 'string' && header !== '' && header === request.cookies[xsrfCookie]
    ? header
    : undefined
}
