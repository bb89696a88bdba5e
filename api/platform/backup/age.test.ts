import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt, isIdentity, isRecipient, makeIdentity } from './age.ts'

async function* piecesOf(bytes: Buffer, size = 50_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

async function gathered(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

const { identity, recipient } = await makeIdentity()
const encrypted = (bytes: Buffer) => gathered(encrypt(recipient, piecesOf(bytes)))
const decrypted = (bytes: Buffer, by = identity) => gathered(decrypt(by, piecesOf(bytes)))

test('reads files written by the age tool', async () => {
  const written = Buffer.from(
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBuOHRkMy8rU3JNUWNjdTBXa1o5S2tFcjNZRm1obEZJUXNJL2wwSnZiS3pJClR1S2tzcVN6RjY3dGo2WWVOWFQ0ZDNCbDlZSi9rb0pVd2h0UjV2QUQ2Y2cKLS0tIGhtMnRmT1krYkxMd3cwc1JTSUMyOEdobkdVSnIwWHRIOXFHZVFyWWJ0UVUKvfJt57NQw8H43RONRTAReohja8UU+sfZVEsV8JvZQV6UOYxpo52IIRfa2+bfwNc=',
    'base64',
  )
  const theirs = 'AGE-SECRET-KEY-1LWVS9H0E04JKP7AERJKTTNV8JLJXAXGQZ268VHJDFKR7USPEWU6QKA8J3Q'
  expect((await decrypted(written, theirs)).toString()).toBe('hello from age\n')
})

test('reads pieces of any size', async () => {
  const bytes = randomBytes(200_000)
  const sealed = await encrypted(bytes)
  for (const size of [7_919, 100_000, sealed.length])
    expect((await gathered(decrypt(identity, piecesOf(sealed, size)))).equals(bytes)).toBe(true)
})

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])('restores %i bytes unchanged', async (size) => {
  const bytes = randomBytes(size)
  const sealed = await encrypted(bytes)
  expect((await decrypted(sealed)).equals(bytes)).toBe(true)
  if (size > 64) expect(sealed.includes(bytes.subarray(0, 64))).toBe(false)
})

test('does not read a truncated, altered, extended, or reordered file to its end', async () => {
  const sealed = await encrypted(randomBytes(200_000))
  const header = sealed.length - 200_000 - 4 * 16 - 16
  const chunk = 65_536 + 16
  const first = header + 16
  const swapped = Buffer.concat([
    sealed.subarray(0, first),
    sealed.subarray(first + chunk, first + 2 * chunk),
    sealed.subarray(first, first + chunk),
    sealed.subarray(first + 2 * chunk),
  ])
  const flipped = [10, 60, header - 10, header + 3, first + 100, sealed.length - 1].map((at) => {
    const copy = Buffer.from(sealed)
    copy[at]! ^= 1
    return copy
  })
  const cut = [0, 20, header, first, first + chunk, sealed.length - 1].map((at) => sealed.subarray(0, at))
  for (const each of [...flipped, ...cut, swapped, Buffer.concat([sealed, Buffer.from('x')])])
    await expect(decrypted(each)).rejects.toThrow()
  await expect(decrypted(sealed, (await makeIdentity()).identity)).rejects.toThrow('another key')
})

test('recognizes keys by their checksums', () => {
  expect([isRecipient(recipient), isIdentity(identity)]).toEqual([true, true])
  expect([isRecipient(identity), isIdentity(recipient), isRecipient(recipient.slice(0, -1))]).toEqual([
    false,
    false,
    false,
  ])
})
