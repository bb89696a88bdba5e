import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { api } from '#contract/api.ts'
import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyMade,
  PasskeyRequest,
} from '#contract/people/webauthn.ts'
import { aMember, type TestMember } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

type Flaws = {
  origin?: string
  /** The user was not verified: no fingerprint or PIN. */
  isUnverified?: boolean
  /** The signature counter that the device reports; incremented by default. */
  signCount?: number
  /** The host that is signed instead of the requested one. */
  rpId?: string
}

export type PasskeyDevice = {
  credentialId: string
  /** The public key in COSE format (RFC 9053). */
  publicKey: Buffer
  make(options: PasskeyCreation, flaws?: Flaws): PasskeyMade
  sign(options: PasskeyRequest, flaws?: Flaws): PasskeyAssertion
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** An authenticator with one ES256 key of one member, as described in WebAuthn Level 3, used on the given origin. */
export function aPasskeyDevice(memberId: string, ownOrigin = 'http://localhost:3000'): PasskeyDevice {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const key = coseKeyOf(publicKey)
  let signCount = 0

  const authenticatorData = (rpId: string, flaws: Flaws, attested: Buffer) => {
    signCount = flaws.signCount ?? signCount + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(signCount)
    // User present 1, user verified 4, attested credential data 64.
    const flags = 1 + (flaws.isUnverified ? 0 : 4) + (attested.length > 0 ? 64 : 0)
    return Buffer.concat([sha256(flaws.rpId ?? rpId), Buffer.from([flags]), count, attested])
  }
  const clientData = (type: string, challenge: string, { origin = ownOrigin }: Flaws) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' } as const

  return {
    credentialId: named.id,
    publicKey: key,
    make(options, flaws = {}) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const authData = authenticatorData(options.rp.id, flaws, attested)
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', new Uint8Array(authData)],
        ]),
      )
      return {
        ...named,
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, flaws).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    sign(options, flaws = {}) {
      const data = authenticatorData(options.rpId, flaws, Buffer.alloc(0))
      const client = clientData('webauthn.get', options.challenge, flaws)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        ...named,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: Buffer.from(memberId).toString('base64url'),
        },
      }
    },
  }
}

/** EC2, ES256, P-256, x, y. */
function coseKeyOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const bytesOf = (part: string) => new Uint8Array(Buffer.from(part, 'base64url'))
  return Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytesOf(x)],
        [-3, bytesOf(y)],
      ]),
    ),
  )
}

/** Registers the device's passkey through the API. */
export async function addPasskey(started: TestApi, member: TestMember, device: PasskeyDevice, name?: string) {
  const { body: options } = await started.call(
    api.beginPasskey,
    { body: null },
    { token: member.token, ip: member.ip },
  )
  return started.call(
    api.finishPasskey,
    { body: { credential: device.make(options), ...(name ? { name } : {}) } },
    { token: member.token, ip: member.ip },
  )
}

export async function aMemberWithPasskey(started: TestApi) {
  const member = await aMember(started)
  const device = aPasskeyDevice(member.id)
  const added = await addPasskey(started, member, device)
  if (added.status !== 200) throw new Error(`the passkey was answered ${added.status} ${added.problem.code}`)
  return { member, device, added: added.body }
}

/** Signs in without a password. */
export async function signInWith(
  started: TestApi,
  device: PasskeyDevice,
  flaws: Parameters<PasskeyDevice['sign']>[1] = {},
) {
  const { body: options } = await started.call(api.beginPasskeySignIn, { body: null })
  return started.call(api.finishPasskeySignIn, { body: { credential: device.sign(options, flaws) } })
}
