/**
 * A random key with which a repeated request takes effect once. Unlike `randomUUID`, this also works on pages served
 * without HTTPS.
 */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
