import { timingSafeEqual } from 'node:crypto'
import type { Keys } from '../../keys.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const idBytes = 16
const proofBytes = 10
/** 26 bytes in characters of five bits each, lowercase because some mail servers lowercase local parts. */
const token = /^[a-z2-7]{42}$/
const returnPath = /^[^+@]+\+([a-z2-7]{42})@[^@]+$/

/** Identifies the email and proves that we created it, so nobody who has not seen the email can report it. */
export function mailTokenOf(keys: Keys, mailId: string): string {
  const id = Buffer.from(mailId.replaceAll('-', ''), 'hex')
  return encode(Buffer.concat([id, proofOf(keys, id)]))
}

/** The address for delivery reports about this email. */
export function returnPathOf(keys: Keys, bounceAddress: string, mailId: string): string {
  const [local, domain] = bounceAddress.split('@')
  return `${local}+${mailTokenOf(keys, mailId)}@${domain}`
}

/** The ID of the email that the address was created for; undefined for any other address. */
export function findMailOfReturnPath(keys: Keys, address: string): string | undefined {
  const code = returnPath.exec(address.trim().toLowerCase())?.[1]
  return code === undefined ? undefined : findMailOfToken(keys, code)
}

/** The ID of the email that the token was created for; undefined for any other text. */
export function findMailOfToken(keys: Keys, code: string): string | undefined {
  if (!token.test(code)) return undefined
  const bytes = decode(code)
  const [id, proof] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes, idBytes + proofBytes)]
  // The last character has two unused bits, so the comparison accepts only one spelling per email.
  if (!timingSafeEqual(proof, proofOf(keys, id)) || encode(bytes) !== code) return undefined
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const proofOf = (keys: Keys, id: Buffer): Buffer => keys.prove('return path', id).subarray(0, proofBytes)

function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function decode(code: string): Buffer {
  const bits = [...code].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
