import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { passkeysMax, type Passkey } from '#contract/people/passkeys.ts'
import type { PasskeyMade } from '#contract/people/webauthn.ts'
import type { Config } from '../../../platform/config/config.ts'
import { isRefusedByIndex, transaction, type Tx } from '../../../platform/db/database.ts'
import { notingFourEyes } from '../../four-eyes/record-changes.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { getMemberById, lockMember } from '../../members/member.queries.ts'
import { Refused } from '../../../platform/refused.ts'
import {
  followFirstFactor,
  followLastFactor,
  needsFactorAsLastAdmin,
  issueRecoveryCodes,
  hasAnyFactor,
  recordFactorChange,
} from '../factors.ts'
import { recordDeviceProof } from '../known-device.queries.ts'
import { deleteSessionsWithoutFactor, recordProof } from '../session.queries.ts'
import { requireWithinLimits, refund } from '../../../platform/rate-limits/rate-limit.ts'
import {
  challengeLife,
  describe,
  newChallenge,
  partyOf,
  consumeSignedChallenge,
  requestWith,
} from './challenge.ts'
import { handleOf, acceptPasskey, verifyPasskey } from './verify-passkey.ts'
import {
  countPasskeys,
  deletePasskeyOfMember,
  insertPasskey,
  listPasskeysOfMember,
  renamePasskeyOfMember,
  type PasskeyRow,
} from './passkey.queries.ts'
import { deviceOf } from '../../../platform/http/device.ts'
import { countPasskeyBegin, countPasskeyTry } from '../sign-in-limits.ts'
import { endLostFactorIfDue } from '../lost-factors/end-lost-factor.ts'
import { welcome } from '../complete-sign-in.ts'

/** EdDSA, ES256, and RS256 by their COSE numbers: supported by authenticators in use. */
const algorithms = [-8, -7, -257]

export const listPasskeys: Handler<typeof api.listPasskeys> = async (_, { db, caller }) =>
  (await listPasskeysOfMember(db, caller.memberId)).map(present)

export const beginPasskey: Handler<typeof api.beginPasskey> = async (_, { db, keys, config, caller }) => {
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `passkey ${caller.memberId}`, max: 30, window: 15 * MINUTE }])
  const member = await getMemberById(db, caller.memberId)
  const passkeys = await listPasskeysOfMember(db, member.id)
  if (passkeys.length >= passkeysMax) throw new Refused('conflict')
  const { id, name } = partyOf(config)
  return {
    challenge: await newChallenge(db, 'create', member.id),
    rp: { id, name },
    user: {
      id: handleOf(member.id),
      name: member.email,
      displayName: member.display_name || member.email,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeLife,
    excludeCredentials: passkeys.map(describe),
    // A discoverable credential with user verification, so that it signs in without email address and password.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

export const finishPasskey: Handler<typeof api.finishPasskey> = async ({ body }, context) => {
  const { db, config, caller, request } = context
  caller.requireStepUp()
  const made = await verifyRegistration(db, config, body.credential, caller.memberId)
  if (!made) throw new Refused('passkey_invalid')
  try {
    return await transaction(db, async (db) => {
      const member = await lockMember(db, caller.memberId)
      if ((await countPasskeys(db, caller.memberId)) >= passkeysMax) throw new Refused('conflict')
      const isFirst = !(await hasAnyFactor(db, caller.memberId))
      const row = await notingFourEyes(db, context, member, () =>
        insertPasskey(db, {
          ...made,
          memberId: caller.memberId,
          transports: body.credential.response.transports ?? [],
          name: body.name ?? (deviceOf(request.userAgent) || 'Passkey'),
        }),
      )
      await recordProof(db, caller.sessionId, true)
      await recordDeviceProof(db, caller.memberId, request.deviceToken)
      await deleteSessionsWithoutFactor(db, caller.memberId)
      await recordFactorChange(db, context, caller.memberId, 'passkey-added', { name: row.name })
      if (isFirst) await followFirstFactor(db, context, caller.memberId)
      const recoveryCodes = isFirst ? await issueRecoveryCodes(db, caller.memberId) : null
      return { passkey: present(row), recoveryCodes }
    })
  } catch (error) {
    if (isRefusedByIndex(error, 'passkey_credential_id_key')) throw new Refused('conflict')
    throw error
  }
}

export const renamePasskey: Handler<typeof api.renamePasskey> = async ({ body }, { db, caller }) => {
  const row = await renamePasskeyOfMember(db, caller.memberId, body.id, body.name)
  if (!row) throw new Refused('not_found')
  return present(row)
}

export const removePasskey: Handler<typeof api.removePasskey> = async ({ params }, context) => {
  const { db, caller } = context
  caller.requireStepUp()
  await transaction(db, async (db) => {
    const isNeeded = await needsFactorAsLastAdmin(db, context.config, caller.memberId)
    const member = await lockMember(db, caller.memberId)
    const remove = () => deletePasskeyOfMember(db, caller.memberId, params.id)
    const removed = await notingFourEyes(db, context, member, remove)
    if (!removed) throw new Refused('not_found')
    await followLastFactor(db, caller.memberId, isNeeded)
    await recordFactorChange(db, context, caller.memberId, 'passkey-removed', { name: removed.name })
  })
  return { removed: true }
}

/** Needs no email address, so it can't reveal which addresses have an account. */
export const beginPasskeySignIn: Handler<typeof api.beginPasskeySignIn> = async (_, context) => {
  await countPasskeyBegin(context)
  return requestWith(context.config, await newChallenge(context.db, 'sign_in', null))
}

/** A passkey is two factors in one: the device, and the fingerprint, face, or PIN that unlocks it. */
export const finishPasskeySignIn: Handler<typeof api.finishPasskeySignIn> = async ({ body }, context) => {
  const { db, keys, config, answer } = context
  const limits = await countPasskeyTry(context)
  const verified = await verifyPasskey(db, config, body.credential, { purpose: 'sign_in', memberId: null })
  if (!verified) throw new Refused('passkey_invalid')
  const { signedIn, setCookies } = await transaction(db, async (db) => {
    const member = await lockMember(db, verified.memberId)
    if (member?.active) await endLostFactorIfDue(db, context, member.id)
    if (!member || !(await acceptPasskey(db, verified))) throw new Refused('passkey_invalid')
    if (!member.active) throw new Refused('member_inactive', { isClosed: true })
    return welcome(db, context, member.id, true)
  })
  await refund(db, keys, limits)
  setCookies(answer)
  return signedIn
}

/**
 * WebAuthn 7.1, with user verification. Attestation is not requested, because members choose their
 * authenticators.
 */
async function verifyRegistration(db: Tx, config: Config, credential: PasskeyMade, memberId: string) {
  const { clientDataJSON, attestationObject } = credential.response
  const challenge = await consumeSignedChallenge(db, clientDataJSON, 'create', memberId)
  if (challenge === undefined) return undefined
  const party = partyOf(config)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const result = await verifyRegistrationResponse({
    response: {
      id: credential.id,
      rawId: credential.rawId,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined)
  if (!result?.verified) return undefined
  const { credential: kept, credentialBackedUp } = result.registrationInfo
  return {
    credentialId: kept.id,
    publicKey: Buffer.from(kept.publicKey),
    signCount: kept.counter,
    synced: credentialBackedUp,
  }
}

const present = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  synced: row.synced,
})
