import { MINUTE } from '#contract/platform/durations.ts'
import brand from '#content/brand.json' with { type: 'json' }
import type { PasskeyRequest } from '#contract/people/webauthn.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { hashSecret, randomSecret } from '../../../platform/keys.ts'
import {
  insertChallenge,
  listPasskeysOfMember,
  consumeChallenge,
  type ChallengePurpose,
  type PasskeyRow,
} from './passkey.queries.ts'

export const challengeLife = 5 * MINUTE
const challengeBytes = 32

/** The relying party of WebAuthn: passkeys are bound to the host of PUBLIC_URL. */
export const partyOf = (config: Config) => ({
  id: config.publicUrl.hostname,
  name: brand.name,
  origin: config.publicUrl.origin,
})

/** A new challenge, stored as a hash. Only those for sign-in are not bound to a member. */
export async function newChallenge(
  db: Tx,
  purpose: ChallengePurpose,
  memberId: string | null,
): Promise<string> {
  const challenge = randomSecret(challengeBytes)
  await insertChallenge(db, {
    challengeHash: hashSecret(challenge),
    purpose,
    memberId,
    life: challengeLife,
  })
  return challenge
}

/** Consumes the signed challenge; undefined unless it is a valid one of that purpose and member. */
export async function consumeSignedChallenge(
  db: Tx,
  clientDataJSON: string,
  purpose: ChallengePurpose,
  memberId: string | null,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) return undefined
  return (await consumeChallenge(db, hashSecret(challenge), purpose, memberId)) ? challenge : undefined
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return isRecord(data) && typeof data['challenge'] === 'string' ? data['challenge'] : undefined
  } catch {
    return undefined
  }
}

/** Options for a browser to sign with one of the member's passkeys; null if there is none. */
export async function requestOfMember(
  db: Tx,
  config: Config,
  purpose: 'second_factor' | 'step_up',
  memberId: string,
): Promise<PasskeyRequest | null> {
  const passkeys = await listPasskeysOfMember(db, memberId)
  if (passkeys.length === 0) return null
  return {
    ...requestWith(config, await newChallenge(db, purpose, memberId)),
    allowCredentials: passkeys.map(describe),
  }
}

export const requestWith = (config: Config, challenge: string): PasskeyRequest => ({
  challenge,
  rpId: partyOf(config).id,
  timeout: challengeLife,
  userVerification: 'required',
})

export const describe = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  type: 'public-key' as const,
  transports: transports as string[],
})
