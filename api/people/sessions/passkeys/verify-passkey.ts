import type { PasskeyAssertion } from '#contract/people/webauthn.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { partyOf, consumeSignedChallenge } from './challenge.ts'
import { countPasskeyUse, findAnyPasskey, type ChallengePurpose } from './passkey.queries.ts'

/** A passkey with a valid signature. It is accepted once `acceptPasskey` has recorded the use. */
export type VerifiedPasskey = { id: string; memberId: string; signCount: number; synced: boolean }

/**
 * Verifies what a passkey signed (WebAuthn 7.2), with user verification. Without `memberId` the passkey
 * identifies the member. The challenge is consumed in any case.
 */
export async function verifyPasskey(
  db: Tx,
  config: Config,
  credential: PasskeyAssertion,
  { purpose, memberId }: { purpose: ChallengePurpose; memberId: string | null },
): Promise<VerifiedPasskey | undefined> {
  const challenge = await consumeSignedChallenge(db, credential.response.clientDataJSON, purpose, memberId)
  if (challenge === undefined) return undefined
  const passkey = await findAnyPasskey(db, credential.id)
  const isRightMember = passkey !== undefined && (memberId === null || passkey.member_id === memberId)
  const { userHandle } = credential.response
  const isOwnHandle = !userHandle || (passkey !== undefined && userHandle === handleOf(passkey.member_id))
  const party = partyOf(config)
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const result = await verifyAuthenticationResponse({
    response: responseOf(credential),
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: credential.id,
      publicKey: new Uint8Array(passkey?.public_key ?? []),
      counter: Number(passkey?.sign_count ?? 0),
    },
  }).catch(() => undefined)
  if (!result?.verified || !isRightMember || !isOwnHandle) return undefined
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  return {
    id: passkey.id,
    memberId: passkey.member_id,
    signCount: newCounter,
    synced: credentialBackedUp,
  }
}

/**
 * Records the use, in the transaction of the action it authorizes; false if a clone of the passkey was used
 * before.
 */
export const acceptPasskey = (db: Tx, { id, signCount, synced }: VerifiedPasskey): Promise<boolean> =>
  countPasskeyUse(db, id, signCount, synced)

/** The WebAuthn user handle: the member's opaque ID. */
export const handleOf = (memberId: string): string => Buffer.from(memberId).toString('base64url')

function responseOf({ id, rawId, response }: PasskeyAssertion) {
  const { userHandle, ...rest } = response
  return {
    id,
    rawId,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: userHandle ? { ...rest, userHandle } : rest,
  }
}
