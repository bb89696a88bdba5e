import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { apiTokenPrefix } from '#contract/api-tokens.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is more than 2^256. */
const randomLength = 43
const checksumLength = 6
const form = new RegExp(`^${apiTokenPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

function inDigits(value: bigint, length: number): string {
  let rest = value
  let written = ''
  while (written.length < length) {
    written = digits[Number(rest % 62n)]! + written
    rest /= 62n
  }
  return written
}

const checksumOf = (random: string): string => inDigits(BigInt(crc32(random)), checksumLength)

/** 256 random bits and a checksum, by which scanners and the server distinguish a token from similar text. */
export function newSecret(): string {
  const random = inDigits(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength)
  return apiTokenPrefix + random + checksumOf(random)
}

/** Whether we can have created it; otherwise nothing is looked up. */
export function isSecret(given: string): boolean {
  if (!form.test(given)) return false
  const random = given.slice(apiTokenPrefix.length, -checksumLength)
  return given.endsWith(checksumOf(random))
}

export const endOf = (secret: string): string => secret.slice(-4)
