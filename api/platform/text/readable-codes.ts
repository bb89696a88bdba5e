import { randomBytes } from 'node:crypto'

/** Crockford's base32: no letters that can be mistaken for digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const randomLetters = (count: number): string =>
  Array.from(randomBytes(count), (byte) => alphabet[byte % 32]).join('')

const grouped = (letters: string, size: number): string =>
  letters.match(new RegExp(`.{1,${size}}`, 'g'))!.join('-')

/** 130 bits, displayed in groups for copying. */
export const newActivationCode = (): string => grouped(randomLetters(26), 5)

/** 50 bits: typed by a signed-in member, with few attempts. */
export const newEmailCode = (): string => grouped(randomLetters(10), 5)

/** 60 bits, used once, in addition to the correct password. */
export const newRecoveryCode = (): string => grouped(randomLetters(12).toLowerCase(), 4)

/** 40 bits: identifies an ambassador and grants no access. It appears in links and on pictures. */
export const newInvitationCode = (): string => randomLetters(8)

/**
 * Normalizes a typed code: case, width, spaces, and dashes don't matter; O, I, and L are read as the digits they
 * resemble.
 */
export const normalizeCode = (code: string): string =>
  code
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')

/** Reads a code that a visitor typed, or pasted within its link. */
export const readInvitationCode = (given: string): string =>
  normalizeCode(/[?&]invitation=([^&#\s]+)/.exec(given)?.[1] ?? given)
