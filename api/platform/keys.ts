import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Purposes with their own key, derived from the master key (HKDF, RFC 5869). */
const purposes = [
  'mail',
  'second factor',
  'documents',
  'throttle',
  'phrase',
  'duplicates',
  'fingerprint key',
  'signing',
  'built file',
  'return path',
  'proof of work',
  'webhook',
] as const
export type Purpose = (typeof purposes)[number]

export type Keys = {
  /** `context` binds the ciphertext to its record: opening it for another one fails. */
  seal(purpose: Purpose, context: string, plain: string): Buffer
  open(purpose: Purpose, context: string, sealed: Buffer): string
  /**
   * A keyed hash for values that only need to be compared, so that addresses of people and clients are never stored.
   */
  blind(value: string): string
  /** A keyed hash that proves that we created the value. */
  prove(purpose: Purpose, value: Buffer): Buffer
  /** A keyed hash that is equal for equal bytes, so that it reveals duplicates and nothing else. */
  fingerprint(bytes: Buffer): string
  /** Initial fingerprint key of a database that has none yet. */
  firstFingerprintKey: Buffer
}

const formatVersion = 1
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts with AES-256-GCM and a random nonce. The format version comes first, so that the cipher can be changed
 * later.
 */
export function sealBytes(key: Buffer, context: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.from([formatVersion]), nonce, cipher.getAuthTag(), body])
}

/** Decrypts. Throws if the bytes, the context, or the key differ from those of the encryption. */
export function openBytes(key: Buffer, context: string, sealed: Buffer): Buffer {
  if (sealed[0] !== formatVersion) throw new Error('sealed with an unknown format version')
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()])
}

export function makeKeys(masterKey: Buffer): Keys {
  const derive = (purpose: Purpose) =>
    [purpose, Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))] as const
  const keys = Object.fromEntries(purposes.map(derive)) as Record<Purpose, Buffer>
  return {
    seal: (purpose, context, plain) => sealBytes(keys[purpose], context, Buffer.from(plain)),
    open: (purpose, context, sealed) => openBytes(keys[purpose], context, sealed).toString('utf8'),
    fingerprint: fingerprintsUnder(keys.duplicates),
    firstFingerprintKey: keys.duplicates,
    prove: (purpose, value) => createHmac('sha256', keys[purpose]).update(value).digest(),
    blind: (value) => createHmac('sha256', keys.throttle).update(value).digest('base64url'),
  }
}

export const fingerprintsUnder =
  (key: Buffer) =>
  (bytes: Buffer): string =>
    createHmac('sha256', key).update(bytes).digest('base64url')

/** A secret is sent once, in an email, cookie, or header; the database stores its hash. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
export const randomSecret = (bytes: number): string => randomBytes(bytes).toString('base64url')
