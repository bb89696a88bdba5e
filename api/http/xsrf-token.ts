import { createHmac } from 'node:crypto'

/** Derived from the refresh token, so it is bound to the session and need not be stored. */
export const xsrfTokenOf = (refreshToken: string): string =>
  createHmac('sha256', refreshToken).update('xsrf').digest('base64url')
