import type { api } from '#contract/api.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { beginReview } from '../apply-transition.ts'
import { isOpen } from '../kyc.rules.ts'
import { hasSeenPhoto } from '../kyc-photo.queries.ts'
import { cancelApprovalProposal, savePhotoVerdict } from './case.queries.ts'
import { requireOwnCase } from './require-own-case.ts'
import { presentPhoto } from './read-cases.ts'

/** Reviews one document while the case is open. The first verdict starts the review. */
export const reviewKycPhoto: Handler<typeof api.reviewKycPhoto> = ({ params, body }, context) =>
  transaction(context.db, async (db) => {
    const { caller } = context
    const row = await requireOwnCase(db, params.id, caller.memberId)
    if (!isOpen(row.status) || body.round !== row.round) throw new Refused('conflict')
    const reason = body.reason?.trim()
    if (body.verdict === 'refused' && !reason) throw refusedField('reason', 'required')
    const reviewed = await savePhotoVerdict(db, row.id, params.n, {
      verdict: body.verdict,
      // The reason of the previous verdict must not be kept for this one.
      reason: reason ?? '',
      note: body.note,
    })
    if (!reviewed) throw new Refused('not_found')
    if (reviewed.replaced_in_round !== null) throw new Refused('conflict')
    const { round } = row
    // Only a viewed photo can be reviewed. Checked last, so that nobody is asked to view a missing photo.
    const isJudged = body.verdict !== 'open'
    if (isJudged && !(await hasSeenPhoto(db, { officerId: caller.memberId, id: row.id, n: params.n, round })))
      throw new Refused('photo_unseen')
    if (isJudged) await beginReview(db, row, context)
    if (body.verdict !== 'accepted') await cancelApprovalProposal(db, row.id)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'kyc-photo-judged',
      subjectKind: 'kyc',
      subjectId: row.id,
      detail: { n: params.n, verdict: body.verdict },
    })
    return presentPhoto(reviewed)
  })
