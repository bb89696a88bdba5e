import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const hex = (text: string) => Buffer.from(text, 'hex')
/** `sha256WithRSAEncryption`. */
const algorithm = sequence(hex('06092a864886f70d01010b'), hex('0500'))
const nameOf = (text: string) =>
  sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from(text)))))
const timeOf = (time: Date) =>
  der(0x18, Buffer.from(`${time.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`))

/** A new RSA key and a self-signed certificate (RFC 5280) for it, valid for a day or until the given time. */
export function makeOwnCertificate(until = new Date(Date.now() + 86_400_000)): {
  privateKey: KeyObject
  certificate: string
} {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const name = nameOf('sns.amazonaws.com')
  const validity = sequence(timeOf(new Date(until.getTime() - 2 * 86_400_000)), timeOf(until))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const lines = sequence(content, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)!
  const certificate = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { privateKey, certificate }
}
