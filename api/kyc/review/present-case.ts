import { HOUR } from '#contract/durations.ts'
import type { KycCase } from '#contract/kyc-review.ts'
import { presentKyc } from '../present-kyc.ts'
import type { CaseRow } from './case.queries.ts'

export const presentCase = (row: CaseRow): KycCase => ({
  ...presentKyc(row, true),
  ageHours: Math.floor(((row.decided_at ?? new Date()).getTime() - row.created_at.getTime()) / HOUR),
  assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
  finalProposedBy:
    row.final_proposed_by === null ? null : { id: row.final_proposed_by, name: row.proposer_name ?? '' },
})
