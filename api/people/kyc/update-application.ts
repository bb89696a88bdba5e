import type { api } from '#contract/api.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { applicantOf, withGiven } from './applicant.ts'
import { applyTransition } from './apply-transition.ts'
import { destroyDocuments, destroyForApplicant } from './kyc-erasure.queries.ts'
import { findKyc, lockKyc, updateKycRow, type KycRow } from './kyc.queries.ts'
import { isRetained } from './kyc.rules.ts'
import { notifyApplicant } from './notify-applicant.ts'
import { presentKyc } from './present-kyc.ts'
import { resubmit } from './submit-application.ts'
import { decide } from './review/decide.ts'
import { requireOwnCase } from './review/require-own-case.ts'

/** Finance decides; the applicant answers a request for more information. Officers cannot decide on their own application. */
export const updateKyc: Handler<typeof api.updateKyc> = async ({ body }, context) => {
  const id = body._id ?? body.id
  if (id === undefined) throw refusedField('_id', 'required')
  const row = (await findKyc(context.db, id)).openFor(context.caller)
  if (body.memberId !== undefined && body.memberId !== row.member_id) throw new Refused('forbidden')
  return row.member_id === context.caller.memberId
    ? answerRequest(body, row, context)
    : decideOrNote(body, id, context)
}

type Body = Parameters<Handler<typeof api.updateKyc>>[0]['body']

/** An applicant may send the record back as it was read, but can't change an officer's entries. */
function answerRequest(body: Body, row: KycRow, context: MemberContext) {
  const { status = 'submitted', reason = row.reason } = body
  const isDeciding = status !== 'submitted' && status !== row.status
  if (isDeciding || body.note !== undefined || reason !== row.reason) throw new Refused('forbidden')
  return resubmit(row, body, context)
}

const decideOrNote = (body: Body, id: string, context: MemberContext) =>
  transaction(context.db, async (db) => {
    const row = await requireOwnCase(db, id, context.caller.memberId)
    requireUnchanged(body, row)
    const { status = row.status, reason, note, round } = body
    if (status !== row.status)
      return presentKyc(await decide(db, row, { status, reason, note, round }, context), true)
    // A reason is emailed and dated with its transition.
    if (reason !== undefined && reason.trim() !== row.reason.trim()) throw new Refused('conflict')
    return presentKyc(await applyTransition(db, row, { status, note }, context), true)
  })

/** What an applicant stated is evidence: staff review it and never rewrite it. Sending a record back unchanged is accepted. */
function requireUnchanged(body: Body, row: KycRow): void {
  const before = applicantOf(row)
  const after = withGiven(body, before)
  const isChanged = (Object.keys(before) as (keyof typeof before)[]).some(
    (name) => before[name] !== after[name],
  )
  if (isChanged || body.photoUrls !== undefined) throw new Refused('forbidden')
  if (body.isFinal !== undefined && body.isFinal !== row.is_final) throw refusedField('isFinal', 'invalid')
}

async function removeAsOfficer(db: Tx, row: KycRow, reason: string, context: MemberContext): Promise<void> {
  await destroyDocuments(db, row.id)
  // The reason is for officers only and stays with the stub until the legal retention period ends.
  if (reason !== '') await updateKycRow(db, row.id, { note: reason })
  await notifyApplicant(db, context, row.member_id, 'kyc-removed')
}

/**
 * Deletes an application. Applicants may always have their documents destroyed, except those retained by law. Officers
 * can't delete a case assigned to a colleague, nor a decision that needs two approvals.
 */
export const deleteKyc: Handler<typeof api.deleteKyc> = async ({ body }, context) => {
  const { db, keys, caller } = context
  const { member_id } = (await findKyc(db, body.id)).openFor(caller)
  const isOwn = member_id === caller.memberId
  await transaction(db, async (db) => {
    const row = isOwn ? await lockKyc(db, body.id) : await requireOwnCase(db, body.id, caller.memberId)
    if (!row) throw new Refused('not_found')
    if (isRetained(row.status)) throw new Refused('conflict')
    if (isOwn) await destroyForApplicant(db, keys, row)
    else if (row.is_final || row.final_proposed_by !== null) throw new Refused('conflict')
    else await removeAsOfficer(db, row, body.reason?.trim() ?? '', context)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'kyc-deleted',
      subjectKind: 'kyc',
      subjectId: body.id,
    })
  })
  return { deleted: true }
}
