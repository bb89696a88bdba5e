import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { apiTokenPrefix } from '#contract/people/api-tokens.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is more than 2^256. */
const randomLength = 43
const checksumLength = 6
const form = new RegExp(`^${apiTokenPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

function checksumOf(random: string): string {
  let rest = crc32(random)
  let written = ''
  while (written.length < checksumLength) {
    written = digits[rest % 62]! + written
    rest = Math.floor(rest / 62)
  }
  return written
}

/** At least 256 random bits and a checksum, by which scanners and the server distinguish a token from similar text. */
export function newSecret(): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(62)]!).join('')
  return apiTokenPrefix + random + checksumOf(random)
}

/** Whether we can have created it; otherwise nothing is looked up. */
export function isSecret(given: string): boolean {
  if (!form.test(given)) return false
  const random = given.slice(apiTokenPrefix.length, -checksumLength)
  return given.endsWith(checksumOf(random))
}

export const endOf = (secret: string): string => secret.slice(-4)
