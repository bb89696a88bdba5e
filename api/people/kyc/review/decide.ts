import type { api } from '#contract/api.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import type { KycState } from '#contract/people/kyc.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { applyTransition, type Deciding } from '../apply-transition.ts'
import { listKycPhotos } from '../kyc-photo.queries.ts'
import { isFinallyRejected, lockApprovalsOf, lockKyc, type KycRow } from '../kyc.queries.ts'
import { canDecide, needsReason } from '../kyc.rules.ts'
import { screenCase } from '../screening/screen-case.ts'
import { listEarlierRejections, lockSharing, type EarlierRejection } from '../fingerprint.queries.ts'
import {
  assignCase,
  discardProposals,
  markFinal,
  proposeApproval,
  proposeFinal,
  cancelApprovalProposal,
} from './case.queries.ts'
import { recordFourEyes } from '../../four-eyes/record-changes.ts'
import { readKycPolicy } from '../../four-eyes/read-policy.ts'
import { presentCaseNow } from './present-case.ts'
import { requireOwnCaseOrProposal } from './require-own-case.ts'
import { cancelExpiredApprovals, findFinalProposer } from './case-approval.queries.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { listFinanceOfficers } from '../../members/approver.queries.ts'
import { caseLink, refusedBeforeLink } from '../../../platform/site-links.ts'

export const decideKycCase: Handler<typeof api.decideKycCase> = ({ params, body }, context) =>
  transaction(context.db, async (db) => {
    const row = await requireOwnCaseOrProposal(db, params.id, context.caller.memberId)
    await decide(db, row, body, context)
    return presentCaseNow(db, row.id)
  })

export type Decision = {
  status: KycState
  reason?: string | undefined
  note?: string | undefined
  isFinal?: boolean | undefined
  /** The submission that the officer has read. */
  round?: number | undefined
}

/**
 * The only path to a decision, for all calls. Usually one officer decides. A final refusal, if so configured,
 * and an approval despite one require two: the first proposes and releases the case, the second confirms. Any
 * other decision cancels the proposal, except if the applicant has deleted the application: then the second
 * officer confirms or dismisses the proposal.
 */
export async function decide(
  db: Tx,
  row: KycRow,
  { status, note, isFinal = false, round, ...given }: Decision,
  context: Deciding,
): Promise<KycRow> {
  const { caller, config } = context
  const reason = given.reason?.trim() ?? ''
  requireValid(row, { status, reason, isFinal, round })
  await cancelExpiredApprovals(db, config, row.id)
  const { isFourEyesRequired } = await readKycPolicy(db, config, row.member_id)
  if (status === 'approved' && (await needsSecondApproval(db, row, isFourEyesRequired, context)))
    return voteForApproval(db, row, note, caller.memberId)
  const first = await findFinalProposer(db, config, row.id)
  if (row.deleted_at !== null && (!isFinal || first === caller.memberId)) throw new Refused('conflict')
  if (isFinal) await recordFourEyes(db, context)
  if (isFinal && isFourEyesRequired) {
    if (first === null) return propose(db, row, { reason, note }, caller.memberId)
    if (first === caller.memberId) throw new Refused('conflict')
  }
  if (status === 'withdrawn') caller.requireStepUp()

  const decided = await applyTransition(db, row, { status, reason, note, isFinal }, context)
  await followDecision(db, row, { status, reason, isFinal }, context)
  return decided
}

function requireValid(row: KycRow, { status, reason, isFinal, round = row.round }: Decision): void {
  if (isFinal && status !== 'rejected') throw refusedField('isFinal', 'invalid')
  if (round !== row.round || !canDecide(row.status, status)) throw new Refused('conflict')
  if (needsReason(status) && reason === '') throw refusedField('reason', 'required')
}

/** Checks that the officer can approve the case, and returns whether another one must approve it too. */
async function needsSecondApproval(
  db: Tx,
  row: KycRow,
  isFourEyesRequired: boolean,
  context: Deciding,
): Promise<boolean> {
  const { memberId } = context.caller
  const against = rejectionsAgainst(await listEarlierRejections(db, [row.id]), { isFourEyesRequired })
  if (isDecidedBy(against, memberId)) throw new Refused('forbidden')
  await requireApprovable(db, row, context)
  if (against.length === 0) return false
  // Screening against the current lists may have cancelled the first approval.
  const { approval_proposed_by: first } = (await lockKyc(db, row.id))!
  if (first === memberId) throw new Refused('conflict')
  return first === null || isDecidedBy(against, first)
}

/** Updates the case and the member's other cases after a decision. */
async function followDecision(
  db: Tx,
  row: KycRow,
  { status, reason, isFinal }: { status: KycState; reason: string; isFinal: boolean },
  context: Deciding,
): Promise<void> {
  if (isFinal) await markFinal(db, row.id)
  else await discardProposals(db, row.id)
  if (status === 'in_review') await assignCase(db, row.id, context.caller.memberId)
  // An earlier approval would restore the right to order.
  if (isFinal || status === 'withdrawn') await withdrawApprovals(db, row, reason, context)
  if (isFinal) await flagSharing(db, row, context)
}

/** Uses the current screening: new matches must be read first. */
async function requireApprovable(db: Tx, row: KycRow, context: Deciding): Promise<void> {
  if (await isFinallyRejected(db, row.member_id)) throw new Refused('conflict')
  const photos = (await listKycPhotos(db, row.id)).filter((photo) => photo.replaced_in_round === null)
  const isSeen = photos.length > 0 && photos.every(({ verdict }) => verdict === 'accepted')
  if (!isSeen || !row.sealed_data_key) throw new Refused('photos_unjudged')
  const { state } = await screenCase(db, context, row)
  if (state === 'unreadable') throw new Refused('unavailable')
  const screened = await lockKyc(db, row.id)
  if (!screened?.screening_read_at) throw new Refused('screening_unread')
}

/**
 * The member must not see a reason before the decision: until then it is stored with the proposal, for the
 * second officer.
 */
async function propose(
  db: Tx,
  row: KycRow,
  proposal: { reason: string; note: string | undefined },
  officerId: string,
): Promise<KycRow> {
  const proposed = await proposeFinal(db, row.id, { by: officerId, ...proposal })
  await recordProposal(db, row.id, 'kyc-final-proposed', officerId)
  return proposed
}

async function voteForApproval(
  db: Tx,
  row: KycRow,
  note: string | undefined,
  officerId: string,
): Promise<KycRow> {
  const proposed = await proposeApproval(db, row.id, { by: officerId, note })
  await recordProposal(db, row.id, 'kyc-approval-proposed', officerId)
  return proposed
}

const recordProposal = (db: Tx, subjectId: string, action: AuditActionOn<'kyc'>, actorId: string) =>
  recordAudit(db, { actorId, action, subjectKind: 'kyc', subjectId })

/** Withdraws the member's other approvals for the same reason. */
export async function withdrawApprovals(
  db: Tx,
  row: KycRow,
  reason: string,
  context: Deciding,
): Promise<void> {
  const others = (await lockApprovalsOf(db, row.member_id)).filter(({ id }) => id !== row.id)
  if (others.length > 0) context.caller.requireStepUp()
  for (const other of others) await applyTransition(db, other, { status: 'withdrawn', reason }, context)
}

/**
 * A finally refused person may have been approved under another account. A first approval given without knowing
 * this is cancelled. A full approval may belong to someone else and stays until a person has checked it:
 * finance is notified.
 */
async function flagSharing(db: Tx, refused: KycRow, context: Deciding): Promise<void> {
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

const telling: readonly EarlierRejection['kinds'][number][] = [
  'document',
  'ethAddress',
  'btcAddress',
  'email',
  'nameAndBirth',
]

/**
 * Whether the evidence identifies the same person. A name can belong to someone else, but without a date of
 * birth there is nothing better.
 */
const isWorthShowing = ({ kinds, lacks_birth }: EarlierRejection): boolean =>
  kinds.some((kind) => telling.includes(kind)) || (lacks_birth && kinds.includes('name'))

/**
 * Final refusals that make an approval require a second officer. A decision by two can't be undone by one,
 * whatever the settings are now, nor can a proposal whose applicant deleted the application.
 */
export const rejectionsAgainst = (
  refusals: readonly EarlierRejection[],
  { isFourEyesRequired }: { isFourEyesRequired: boolean },
): EarlierRejection[] =>
  refusals.filter(
    (refusal) => (!refusal.is_final || refusal.took_two || isFourEyesRequired) && isWorthShowing(refusal),
  )

/** A decision by two must be undone by two others. */
export const isDecidedBy = (refusals: readonly EarlierRejection[], officerId: string | null): boolean =>
  refusals.some(({ deciders }) => officerId !== null && deciders.includes(officerId))
