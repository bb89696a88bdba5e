import { HOUR } from '#contract/platform/durations.ts'
import type { KycCase } from '#contract/people/kyc-review.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { Refused } from '../../../platform/refused.ts'
import { listEarlierRejections } from '../fingerprint.queries.ts'
import { isOpen } from '../kyc.rules.ts'
import { presentKyc } from '../present-kyc.ts'
import { findCase, listDuplicated, type CaseRow } from './case.queries.ts'

const officerOf = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

export const presentCase = (
  row: CaseRow,
  { hasDuplicates, hasRefusal }: Pick<KycCase, 'hasDuplicates' | 'hasRefusal'>,
): KycCase => ({
  ...presentKyc(row, true),
  ageHours: Math.floor(((row.decided_at ?? new Date()).getTime() - row.waiting_since.getTime()) / HOUR),
  isAnswered: row.round > 1 && isOpen(row.status),
  assignee: officerOf(row.assignee_id, row.assignee_name),
  finalProposedBy: officerOf(row.final_proposed_by, row.proposer_name),
  finalProposedAt: row.final_proposed_at?.toISOString() ?? null,
  finalProposedReason: row.final_proposed_reason,
  // The data is destroyed in either case; for a final rejection, the decision stays in force.
  isDeleted: row.deleted_at !== null || row.full_name === '',
  approvalProposedBy: officerOf(row.approval_proposed_by, row.approver_name),
  hasDuplicates,
  possibleMatches: row.possible_matches,
  screeningReadAt: row.screening_read_at?.toISOString() ?? null,
  screeningReadBy: officerOf(row.screening_read_by, row.reader_name),
  hasRefusal,
  liftProposedBy: officerOf(row.final_lift_proposed_by, row.lifter_name),
})

/** Returns the current state of a case. */
export async function presentCaseNow(db: Tx, id: string): Promise<KycCase> {
  const row = await findCase(db, id)
  if (!row) throw new Refused('not_found')
  return presentCase(row, {
    hasDuplicates: (await listDuplicated(db, [id])).has(id),
    hasRefusal: (await listEarlierRejections(db, [id])).length > 0,
  })
}
