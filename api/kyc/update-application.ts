import type { api } from '#contract/api.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { isRefusedByIndex, transaction } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import { readApplicant, withCheckedAddresses } from './applicant.ts'
import {
  destroyDocuments,
  findKyc,
  insertKycStep,
  lockKyc,
  updateKycRow,
  type KycRow,
} from './kyc.queries.ts'
import { canDecide, canResubmit, isRetained, needsReason } from './kyc.rules.ts'
import { presentKyc } from './present-kyc.ts'
import { requireAge } from './require-age.ts'
import { requireOwnCase } from './review/require-own-case.ts'
import { applyTransition } from './apply-transition.ts'
import { mailOfTransition, notifyApplicant } from './notify-applicant.ts'

/** Finance decides; the applicant answers a request for more information. Officers cannot decide on their own application. */
export const updateKyc: Handler<typeof api.updateKyc> = async ({ body }, context) => {
  const id = body._id ?? body.id
  if (id === undefined) throw refusedField('_id', 'required')
  const known = (await findKyc(context.db, id)).openFor(context.caller)
  const isOwn = known.member_id === context.caller.memberId
  return isOwn ? answerRequest(body, id, context) : decide(body, id, context)
}

type Body = Parameters<Handler<typeof api.updateKyc>>[0]['body']

async function answerRequest(body: Body, id: string, context: MemberContext) {
  const { db, caller } = context
  try {
    return await transaction(db, async (db) => {
      const row = await lockKyc(db, id)
      if (!row) throw new Refused('not_found')
      const isDeciding = body.status !== undefined && body.status !== 'submitted'
      if (isDeciding || body.note !== undefined || body.reason !== undefined) throw new Refused('forbidden')
      // Where the pictures were destroyed meanwhile, only a new application brings new ones.
      if (!canResubmit(row.status) || !row.sealed_data_key) throw new Refused('conflict')
      const before = applicantOf(row)
      const applicant = withCheckedAddresses(readApplicant(body, before), before)
      if (applicant.dateOfBirth !== before.dateOfBirth)
        requireAge(applicant.dateOfBirth, context.config.kycAgeMin)
      const hasMoved =
        applicant.ethAddress !== before.ethAddress || applicant.btcAddress !== before.btcAddress
      if (hasMoved) caller.requireStepUp()
      const updated = await updateKycRow(db, id, { applicant, status: 'submitted' })
      await insertKycStep(db, { id, from: row.status, to: 'submitted', reason: '', by: caller.memberId })
      await notifyApplicant(db, context, row.member_id, mailOfTransition('submitted'))
      return presentKyc(updated, false)
    })
  } catch (error) {
    // A newer application is in review already.
    if (isRefusedByIndex(error, 'kyc_application_one_open')) throw new Refused('conflict')
    throw error
  }
}

const decide = (body: Body, id: string, context: MemberContext) =>
  transaction(context.db, async (db) => {
    const row = await requireOwnCase(db, id, context.caller.memberId)
    requireUnchanged(body, row)
    const status = body.status ?? row.status
    const isStep = status !== row.status
    if (isStep && !canDecide(row.status, status)) throw new Refused('conflict')
    const reason = body.reason?.trim()
    if (isStep && needsReason(status) && !reason) throw refusedField('reason', 'required')
    return presentKyc(await applyTransition(db, row, { status, reason, note: body.note }, context), true)
  })

/** What an applicant stated is evidence: staff review it and never rewrite it. Sending a record back unchanged is accepted. */
function requireUnchanged(body: Body, row: KycRow): void {
  const before = applicantOf(row)
  const after = readApplicant(body, before)
  const isChanged = (Object.keys(before) as (keyof typeof before)[]).some(
    (name) => before[name] !== after[name],
  )
  if (isChanged) throw new Refused('forbidden')
}

const applicantOf = (row: KycRow) => ({
  fullName: row.full_name,
  lastName: row.last_name,
  country: row.country,
  dateOfBirth: row.date_of_birth,
  email: row.email,
  ethAddress: row.eth_address,
  btcAddress: row.btc_address,
})

export const deleteKyc: Handler<typeof api.deleteKyc> = async ({ body }, { db, caller }) => {
  ;(await findKyc(db, body.id)).openFor(caller)
  await transaction(db, async (db) => {
    const row = await lockKyc(db, body.id)
    if (!row) throw new Refused('not_found')
    if (isRetained(row.status)) throw new Refused('conflict')
    await destroyDocuments(db, body.id)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'kyc-deleted',
      subjectKind: 'kyc',
      subjectId: body.id,
    })
  })
  return { deleted: true }
}
