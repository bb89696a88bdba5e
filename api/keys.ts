import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from './start-refused.ts'

/** The purposes that get a key of their own, derived from the master key (HKDF, RFC 5869). */
const purposes = ['mail', 'second factor', 'documents', 'throttle', 'phrase'] as const
type Purpose = (typeof purposes)[number]

export type Keys = {
  /** `context` binds the ciphertext to its record: opening it for another one fails. */
  seal(purpose: Purpose, context: string, plain: string): Buffer
  open(purpose: Purpose, context: string, sealed: Buffer): string
  /** A keyed hash, so that addresses of people and clients are never stored where only equality matters. */
  blind(value: string): string
}

const formatVersion = 1
const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM with a random nonce; the format version comes first, so that another cipher can follow one day. */
export function sealBytes(key: Buffer, context: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.from([formatVersion]), nonce, cipher.getAuthTag(), body])
}

/** Throws when the bytes, the context or the key are not those of sealing. */
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
    blind: (value) => createHmac('sha256', keys.throttle).update(value).digest('base64url'),
  }
}

/** The master key of `dataDir`, made at the first start and readable by its owner only. */
export function readOrMakeMasterKey(dataDir: string): Buffer {
  const directory = join(dataDir, 'keys')
  const file = join(directory, 'master.key')
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('base64') + '\n', { mode: 0o600, flag: 'wx' })
  }
  chmodSync(file, 0o600)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32)
    throw new StartRefused(`The key file ${file} is damaged; restore it from your backup.`)
  return key
}

/** A secret that travels once in a mail, cookie or header, and what the database keeps of it. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
export const randomSecret = (bytes: number): string => randomBytes(bytes).toString('base64url')
