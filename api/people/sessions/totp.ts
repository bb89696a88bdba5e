import { Secret } from 'otpauth'
import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { transaction, type Tx } from '../../platform/db/database.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { getMemberById, lockMember } from '../members/member.queries.ts'
import { Refused } from '../../platform/refused.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import {
  followFirstFactor,
  followLastFactor,
  issueRecoveryCodes,
  hasAnyFactor,
  needsFactorAsLastAdmin,
  recordFactorChange,
} from './factors.ts'
import { checkCode } from './factor-tries.ts'
import { recordDeviceProof } from './known-device.queries.ts'
import { findMatchingStep, isValidCode, totpOf } from './second-factor.ts'
import { deleteSessionsWithoutFactor, recordProof } from './session.queries.ts'
import {
  confirmTotpOfMember,
  deleteTotp,
  findTotp,
  hasConfirmedTotp,
  insertTotp,
  consumeTotpStep,
} from './second-factor.queries.ts'

const secretBytes = 20

const codeLimit = (memberId: string) => ({ key: `second-factor ${memberId}`, max: 20, window: 15 * MINUTE })

export const beginTotp: Handler<typeof api.beginTotp> = async (_, { db, keys, caller }) => {
  caller.requireStepUp()
  const member = await getMemberById(db, caller.memberId)
  const secret = new Secret({ size: secretBytes }).base32
  const isBegun = await insertTotp(db, caller.memberId, keys.seal('second factor', caller.memberId, secret))
  if (!isBegun) throw new Refused('conflict')
  return { secret, otpauthUrl: totpOf(secret, member.email, brand.name).toString() }
}

export const confirmTotp: Handler<typeof api.confirmTotp> = async ({ body }, context) => {
  const { db, keys, caller, request } = context
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [codeLimit(caller.memberId)])
  const recoveryCodes = await transaction(db, async (db) => {
    // A concurrent sign-in with only the password must not bypass the new factor.
    const member = await lockMember(db, caller.memberId)
    const begun = await findTotp(db, caller.memberId)
    if (!begun || begun.confirmed_at) throw new Refused('conflict')
    const step = await findMatchingStep(db, keys, caller.memberId, body.code.replaceAll(/\s/g, ''))
    if (step === null || !(await consumeTotpStep(db, caller.memberId, step)))
      throw new Refused('code_invalid')
    const isFirst = !(await hasAnyFactor(db, caller.memberId))
    await notingFourEyes(db, context, member, () => confirmTotpOfMember(db, caller.memberId))
    await recordProof(db, caller.sessionId, true)
    await recordDeviceProof(db, caller.memberId, request.deviceToken)
    await deleteSessionsWithoutFactor(db, caller.memberId)
    await recordFactorChange(db, context, caller.memberId, 'second-factor-added')
    if (isFirst) await followFirstFactor(db, context, caller.memberId)
    return issueRecoveryCodes(db, caller.memberId)
  })
  return { recoveryCodes }
}

export const removeTotp: Handler<typeof api.removeTotp> = async ({ body }, context) => {
  const { db, keys, caller } = context
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [codeLimit(caller.memberId)])
  const remove = async (db: Tx) => {
    const isNeeded = await needsFactorAsLastAdmin(db, context.config, caller.memberId)
    const member = await lockMember(db, caller.memberId)
    if (!(await hasConfirmedTotp(db, caller.memberId))) throw new Refused('conflict')
    if (!(await isValidCode(db, context, caller.memberId, body.code))) throw new Refused('code_invalid')
    await notingFourEyes(db, context, member, () => deleteTotp(db, caller.memberId))
    await followLastFactor(db, caller.memberId, isNeeded)
    await recordFactorChange(db, context, caller.memberId, 'second-factor-removed')
    return { removed: true as const }
  }
  return checkCode(context, caller.memberId, body.code, () => transaction(db, remove))
}
