import { Secret } from 'otpauth'
import type { api } from '#contract/api.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { recordAudit } from '../audit/record-audit.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { hashSecret } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import { getMemberById } from '../members/member.queries.ts'
import { newRecoveryCode, normaliseCode } from '../members/codes.ts'
import { Refused } from '../refused.ts'
import { demandWithin } from '../throttle.ts'
import { MINUTE } from '#contract/durations.ts'
import { findMatchingStep, isLivingCode, totpOf } from './second-factor.ts'
import {
  confirmTotpOfMember,
  deleteTotp,
  findTotp,
  hasConfirmedTotp,
  insertTotp,
  spendTotpStep,
} from './totp.queries.ts'
import { deleteSessionsOfMember } from './session.queries.ts'

const secretBytes = 20
const recoveryCodesCount = 10

const codeLimit = (memberId: string) => ({ key: `second-factor ${memberId}`, max: 20, window: 15 * MINUTE })

export const beginTotp: Handler<typeof api.beginTotp> = async (_, { db, keys, caller }) => {
  const secret = new Secret({ size: secretBytes }).base32
  const isBegun = await insertTotp(db, caller.memberId, keys.seal('second factor', caller.memberId, secret))
  if (!isBegun) throw new Refused('conflict')
  const member = await getMemberById(db, caller.memberId)
  return { secret, otpauthUrl: totpOf(secret, member.email, brand.name).toString() }
}

export const confirmTotp: Handler<typeof api.confirmTotp> = async (
  { body },
  { db, keys, caller, request },
) => {
  await demandWithin(db, keys, [codeLimit(caller.memberId)])
  const recoveryCodes = Array.from({ length: recoveryCodesCount }, newRecoveryCode)
  await transaction(db, async (db) => {
    const begun = await findTotp(db, caller.memberId)
    if (!begun || begun.confirmed_at) throw new Refused('conflict')
    const step = await findMatchingStep(db, keys, caller.memberId, body.code.replaceAll(/\s/g, ''))
    if (step === null || !(await spendTotpStep(db, caller.memberId, step))) throw new Refused('code_invalid')
    await confirmTotpOfMember(
      db,
      caller.memberId,
      recoveryCodes.map((code) => hashSecret(normaliseCode(code))),
    )
    await deleteSessionsOfMember(db, caller.memberId, caller.sessionId)
    await noteFactorChange(db, keys, caller.memberId, 'second-factor-added', request.language)
  })
  return { recoveryCodes }
}

export const removeTotp: Handler<typeof api.removeTotp> = async ({ body }, { db, keys, caller, request }) => {
  await demandWithin(db, keys, [codeLimit(caller.memberId)])
  await transaction(db, async (db) => {
    if (!(await hasConfirmedTotp(db, caller.memberId))) throw new Refused('conflict')
    if (!(await isLivingCode(db, keys, caller.memberId, body.code))) throw new Refused('code_invalid')
    await deleteTotp(db, caller.memberId)
    await noteFactorChange(db, keys, caller.memberId, 'second-factor-removed', request.language)
  })
  return { removed: true }
}

async function noteFactorChange(
  db: Parameters<typeof sendMail>[0],
  keys: Parameters<typeof sendMail>[1],
  memberId: string,
  kind: 'second-factor-added' | 'second-factor-removed',
  language: 'en' | 'cn',
) {
  const member = await getMemberById(db, memberId)
  await sendMail(db, keys, { kind, to: member.email, language, values: {} })
  await recordAudit(db, { actorId: memberId, action: kind, subjectKind: 'member', subjectId: memberId })
}
