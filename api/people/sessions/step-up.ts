import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { InputOf } from '#contract/platform/endpoint.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { findMemberById, lockMember } from '../members/member.queries.ts'
import { requestOfMember } from './passkeys/challenge.ts'
import { acceptPasskey, verifyPasskey } from './passkeys/verify-passkey.ts'
import { Refused } from '../../platform/refused.ts'
import { requireWithinLimits, refund } from '../../platform/rate-limits/rate-limit.ts'
import { kindsOfFactor } from './factors.ts'
import { endLostFactorIfDue, stopLostFactorOf } from './lost-factors/end-lost-factor.ts'
import { checkCode } from './factor-tries.ts'
import { recordDeviceProof } from './known-device.queries.ts'
import { isValidCode } from './second-factor.ts'
import { recordProof } from './session.queries.ts'

type Given = InputOf<typeof api.stepUp>['body']

export const beginStepUp: Handler<typeof api.beginStepUp> = async (_, { db, keys, config, caller }) => {
  await requireWithinLimits(db, keys, [
    { key: `step-up-begin ${caller.memberId}`, max: 60, window: 15 * MINUTE },
  ])
  const kinds = await kindsOfFactor(db, caller.memberId)
  return {
    kinds: kinds.length > 0 ? [...kinds] : ['password'],
    passkey: await requestOfMember(db, config, 'step_up', caller.memberId),
  }
}

export const checkStepUp: Handler<typeof api.checkStepUp> = async (_, { caller }) => {
  caller.requireStepUp()
  return { proved: true }
}

/**
 * Requires a new proof of identity before changes of account security, so that an open session alone is not
 * enough. In an account with a factor the password is no proof, because it may be what was stolen.
 */
export const stepUp: Handler<typeof api.stepUp> = async ({ body }, context) => {
  const { db, keys, caller, request } = context
  const limit = [{ key: `step-up ${caller.memberId}`, max: 10, window: 15 * MINUTE }]
  await requireWithinLimits(db, keys, limit)
  const consumeProof = await verifyProof(body, context)
  const prove = async (db: Tx) => {
    await lockMember(db, caller.memberId)
    await endLostFactorIfDue(db, context, caller.memberId)
    await consumeProof(db)
    const isFactor = body.password === undefined
    if (isFactor) {
      await stopLostFactorOf(db, context, caller.memberId)
      await recordDeviceProof(db, caller.memberId, request.deviceToken)
    }
    return recordProof(db, caller.sessionId, isFactor)
  }
  const provedUntil = await checkCode(context, caller.memberId, body.code, () => transaction(db, prove))
  await refund(db, keys, limit)
  return { provedUntil: provedUntil.toISOString() }
}

/** Slow checks run before the transaction; consumption happens in it, under the member's lock. */
async function verifyProof(given: Given, context: MemberContext): Promise<(db: Tx) => Promise<void>> {
  const { db, config, passwords, caller, request } = context
  const { memberId } = caller
  if (given.password !== undefined) {
    await requireNoFactor(db, memberId)
    const known = await findMemberById(db, memberId)
    if (!(await passwords.verify(known?.password_hash, given.password, 'known', request.client)))
      throw new Refused('credentials_invalid')
    return async (db) => {
      const current = await findMemberById(db, memberId)
      // Both may have changed while the hash was computed.
      await requireNoFactor(db, memberId)
      if (current?.password_hash !== known?.password_hash) throw new Refused('credentials_invalid')
    }
  }
  if (given.passkey !== undefined) {
    const verified = await verifyPasskey(db, config, given.passkey, { purpose: 'step_up', memberId })
    if (!verified) throw new Refused('passkey_invalid')
    return async (db) => {
      if (!(await acceptPasskey(db, verified))) throw new Refused('passkey_invalid')
    }
  }
  return async (db) => {
    if (!(await isValidCode(db, context, memberId, given.code ?? ''))) throw new Refused('code_invalid')
  }
}

async function requireNoFactor(db: Tx, memberId: string): Promise<void> {
  const kinds = await kindsOfFactor(db, memberId)
  if (kinds.length > 0) throw new Refused('second_factor_required', { secondFactor: { kinds } })
}
