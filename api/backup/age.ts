import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { bech32 } from '@scure/base'

/**
 * Files as the tool `age` makes and reads them (age-encryption.org/v1, C2SP), for one X25519 recipient: whoever encrypts cannot
 * decrypt, and a file that was cut or changed anywhere is not read to its end.
 */
export class AgeFailed extends Error {}

const version = 'age-encryption.org/v1'
const chunkBytes = 64 * 1024
const tagBytes = 16
/** More than the header of many recipients. */
const headerBytesMax = 64 * 1024

const recipientPrefix = 'age'
const identityPrefix = 'age-secret-key-'
/** What stands before the 32 bytes of a key in DER (RFC 8410). */
const privateDer = Buffer.from('302e020100300506032b656e04220420', 'hex')
const publicDer = Buffer.from('302a300506032b656e032100', 'hex')

const privateKeyOf = (raw: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([privateDer, raw]), format: 'der', type: 'pkcs8' })
const publicKeyOf = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicDer, raw]), format: 'der', type: 'spki' })
const rawPublic = (key: KeyObject): Buffer =>
  (key.type === 'private' ? createPublicKey(key) : key)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicDer.length)

const encode = (prefix: string, raw: Buffer): string => bech32.encode(prefix, bech32.toWords(raw), false)

function decode(prefix: string, text: string): Buffer | undefined {
  try {
    const decoded = bech32.decode(text as `${string}1${string}`, false)
    const raw = Buffer.from(bech32.fromWords(decoded.words))
    return decoded.prefix.toLowerCase() === prefix && raw.length === 32 ? raw : undefined
  } catch {
    return undefined
  }
}

export const isRecipient = (text: string): boolean => decode(recipientPrefix, text) !== undefined
export const isIdentity = (text: string): boolean => decode(identityPrefix, text) !== undefined

/** `identity` is the secret that decrypts, `recipient` what encrypts for it. */
export function makeIdentity(): { identity: string; recipient: string } {
  const { privateKey } = generateKeyPairSync('x25519')
  const raw = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(privateDer.length)
  return {
    identity: encode(identityPrefix, raw).toUpperCase(),
    recipient: encode(recipientPrefix, rawPublic(privateKey)),
  }
}

const derive = (key: Buffer, salt: Buffer, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, 32))
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
const wrapInfo = `${version}/X25519`

const algorithm = 'chacha20-poly1305'
function seal(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}
function unseal(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  if (sealed.length < tagBytes) throw new AgeFailed('is cut short')
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - tagBytes)), decipher.final()])
  } catch {
    throw new AgeFailed('was cut short or altered')
  }
}

const noNonce = Buffer.alloc(12)
/** A counter, and whether it is the last chunk. */
function nonceOf(n: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(n, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** In pieces of that size; the last one may be shorter, and is empty only where there is nothing at all. */
async function* inChunks(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let parts: Buffer[] = []
  let length = 0
  for await (const part of source) {
    parts.push(part)
    length += part.length
    if (length <= size) continue
    let all = Buffer.concat(parts)
    for (; all.length > size; all = all.subarray(size)) yield { chunk: all.subarray(0, size), isLast: false }
    parts = [all]
    length = all.length
  }
  yield { chunk: Buffer.concat(parts), isLast: true }
}

export async function* encrypt(recipient: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const theirs = decode(recipientPrefix, recipient)
  if (!theirs) throw new AgeFailed('has no recipient')
  const fileKey = randomBytes(16)
  const { privateKey } = generateKeyPairSync('x25519')
  const share = rawPublic(privateKey)
  const shared = diffieHellman({ privateKey, publicKey: publicKeyOf(theirs) })
  const wrapped = seal(derive(shared, Buffer.concat([share, theirs]), wrapInfo), noNonce, fileKey)
  const header = `${version}\n-> X25519 ${base64(share)}\n${base64(wrapped)}\n---`
  const nonce = randomBytes(16)
  yield Buffer.from(`${header} ${base64(macOf(fileKey, header))}\n`)
  yield nonce
  const key = derive(fileKey, nonce, 'payload')
  let n = 0
  for await (const { chunk, isLast } of inChunks(source, chunkBytes))
    yield seal(key, nonceOf(n++, isLast), chunk)
}

const macOf = (fileKey: Buffer, header: string): Buffer =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(header)
    .digest()

export async function* decrypt(identity: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const raw = decode(identityPrefix, identity)
  if (!raw) throw new AgeFailed('has no identity')
  const { header, mac, rest } = await readHeader(source)
  const fileKey = unwrap(raw, header)
  const expected = macOf(fileKey, header)
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) throw new AgeFailed('was altered')
  const payload = rest[Symbol.asyncIterator]()
  const nonce = await take(payload, 16)
  const key = derive(fileKey, nonce.taken, 'payload')
  let n = 0
  for await (const { chunk, isLast } of inChunks(after(nonce.left, payload), chunkBytes + tagBytes))
    yield unseal(key, nonceOf(n++, isLast), chunk)
}

function unwrap(raw: Buffer, header: string): Buffer {
  const privateKey = privateKeyOf(raw)
  const ours = rawPublic(privateKey)
  for (const [, given = '', body = ''] of header.matchAll(/^-> X25519 ([\w+/]{43})\n([\w+/]{43})$/gm)) {
    const share = Buffer.from(given, 'base64')
    const shared = diffieHellman({ privateKey, publicKey: publicKeyOf(share) })
    try {
      const key = derive(shared, Buffer.concat([share, ours]), wrapInfo)
      return unseal(key, noNonce, Buffer.from(body, 'base64'))
    } catch {
      continue
    }
  }
  throw new AgeFailed('was made for another key')
}

async function readHeader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  while (read.length < headerBytesMax) {
    const next = await iterator.next()
    if (next.done) break
    read = Buffer.concat([read, next.value])
    const text = read.subarray(0, headerBytesMax).toString('latin1')
    const found = /^(age-encryption\.org\/v1\n(?:.*\n)*?---) ([\w+/]{43})\n/.exec(text)
    if (!found) continue
    const left = read.subarray(found[0].length)
    return { header: found[1]!, mac: Buffer.from(found[2]!, 'base64'), rest: after(left, iterator) }
  }
  throw new AgeFailed('is not a file of age')
}

async function take(iterator: AsyncIterator<Buffer>, count: number) {
  let read: Buffer = Buffer.alloc(0)
  while (read.length < count) {
    const next = await iterator.next()
    if (next.done) throw new AgeFailed('is cut short')
    read = Buffer.concat([read, next.value])
  }
  return { taken: read.subarray(0, count), left: read.subarray(count) }
}

async function* after(first: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
}
