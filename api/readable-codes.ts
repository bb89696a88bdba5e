import { randomBytes } from 'node:crypto'

/** Crockford's base32: no letters that are mistaken for digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const randomLetters = (count: number): string =>
  Array.from(randomBytes(count), (byte) => alphabet[byte % 32]).join('')

const grouped = (letters: string, size: number): string =>
  letters.match(new RegExp(`.{1,${size}}`, 'g'))!.join('-')

/** 130 bits, shown in groups for copying. */
export const newActivationCode = (): string => grouped(randomLetters(26), 5)

/** 50 bits: typed by somebody who is signed in, with few tries. */
export const newEmailCode = (): string => grouped(randomLetters(10), 5)

/** 60 bits, used once, behind the right password. */
export const newRecoveryCode = (): string => grouped(randomLetters(12).toLowerCase(), 4)

/** 40 bits: names an ambassador and opens nothing. It stands in links and on pictures. */
export const newInvitationCode = (): string => randomLetters(8)

/** Case, width, spaces and dashes do not matter; O, I and L are read as the digits they look like. */
export const normaliseCode = (code: string): string =>
  code
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')

/** As a visitor typed it, or pasted it with the link that it stands in. */
export const readInvitationCode = (given: string): string =>
  normaliseCode(/[?&]invitation=([^&#\s]+)/.exec(given)?.[1] ?? given)
