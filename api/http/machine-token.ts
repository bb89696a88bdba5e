import type { FastifyRequest } from 'fastify'
import { apiTokenPrefix } from '#contract/api-tokens.ts'
import { Refused } from '../refused.ts'
import { readRefreshToken } from './cookies.ts'

/** RFC 6750, section 2.1; case-insensitive (RFC 9110, section 11.1). */
const scheme = /^bearer +/i
const inAddress = new RegExp(`[?&]access_token=|${apiTokenPrefix}[0-9a-z]{20}`, 'i')

/**
 * The API token of a request, as it was sent. Other bearer tokens, such as the one for metrics, are ignored.
 *
 * In a URL it would appear in the logs of every proxy, and next to a session the actor would be ambiguous: both
 * are refused, whether the token is valid or not.
 */
export function readMachineToken(request: FastifyRequest, isSecure: boolean): string | undefined {
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
