import { createHmac } from 'node:crypto'

/** Bound to the session without being stored: only who holds the refresh token can make it. */
export const xsrfTokenOf = (refreshToken: string): string =>
  createHmac('sha256', refreshToken).update('xsrf').digest('base64url')
