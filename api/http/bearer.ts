import { timingSafeEqual } from 'node:crypto'

/** Whether a request carries this token (RFC 6750), compared in constant time. False if there is no token. */
export function hasBearer(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return false
  const [given, expected] = [Buffer.from(authorization ?? ''), Buffer.from(`Bearer ${token}`)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
