import { recordAudit } from '../../audit/audit.queries.ts'
import type { Tx } from '../../db/database.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { listFinanceOfficers } from '../../members/approver.queries.ts'
import { caseLink, refusedBeforeLink } from '../../site-links.ts'
import type { Deciding } from '../apply-transition.ts'
import { listEarlierRejections, lockSharing } from '../fingerprint.queries.ts'
import type { KycRow } from '../kyc.queries.ts'
import { isWorthShowing } from './approval-needs-four-eyes.ts'
import { cancelApprovalProposal } from './case.queries.ts'

/**
 * A finally refused person may have been approved under another account. A first approval given without knowing
 * this is cancelled. A full approval may belong to someone else and stays until a person has checked it:
 * finance is notified.
 */
export async function flagSharing(db: Tx, refused: KycRow, context: Deciding): Promise<void> {
  const { caller, config, keys } = context
  const sharing = await lockSharing(db, refused)
  const refusals = await listEarlierRejections(
    db,
    sharing.map(({ id }) => id),
  )
  const told = new Set(
    refusals.flatMap((each) => (each.id === refused.id && isWorthShowing(each) ? [each.application_id] : [])),
  )
  const approved: KycRow[] = []
  for (const row of sharing.filter(({ id }) => told.has(id))) {
    if (row.approval_proposed_by !== null) await cancelApprovalProposal(db, row.id)
    if (row.status !== 'approved') continue
    approved.push(row)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'kyc-refusal-shared',
      subjectKind: 'kyc',
      subjectId: row.id,
    })
  }
  const [first, ...others] = approved
  if (!first) return
  const link = others.length === 0 ? caseLink(config, first.id) : refusedBeforeLink(config)
  const subjects = new Set([refused, ...approved].map(({ member_id }) => member_id))
  for (const officer of await listFinanceOfficers(db, config))
    // Officers can't decide on their own identity.
    if (!subjects.has(officer.id)) await sendMail(db, keys, officer, 'staff-kyc-shared', { link })
}
