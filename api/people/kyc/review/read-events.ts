import type { api } from '#contract/api.ts'
import type { CaseEvent } from '#contract/people/kyc-review.ts'
import { listAuditOfRecord } from '../../../platform/audit/audit.queries.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { Refused } from '../../../platform/refused.ts'
import { findAnyCase, type KycRow } from '../kyc.queries.ts'
import { listStepsWithNames } from './case.queries.ts'
import { requireOthersCase } from './require-own-case.ts'

export const listKycCaseEvents: Handler<typeof api.listKycCaseEvents> = async (
  { params },
  { db, caller },
) => {
  const row = await findAnyCase(db, params.id)
  if (!row) throw new Refused('not_found')
  requireOthersCase(row, caller.memberId)
  return readEvents(db, row)
}

/** Transitions come with their reasons from the history of the case, everything else from the audit log. The newest first. */
export async function readEvents(db: Tx, row: KycRow): Promise<CaseEvent[]> {
  const steps = await listStepsWithNames(db, row.id)
  const audit = await listAuditOfRecord(db, 'kyc', row.id)
  // Rows of one transaction have the same time, so an audit entry stands beside its transition.
  const stepTimes = new Set(steps.map(({ at }) => at.getTime()))
  const events: CaseEvent[] = [
    eventAt(row.created_at, { what: 'submitted', to: 'submitted' }),
    ...steps.map(({ at, to_status, reason, by_member_id, by_name }) =>
      eventAt(at, {
        what: 'step',
        to: to_status,
        reason,
        by: by_member_id === row.member_id ? '' : (by_name ?? ''),
      }),
    ),
    ...audit.flatMap(({ at, action, detail, actor_name }) => {
      const seen = readEntry(action, isRecord(detail) ? detail : {})
      if (!seen || (seen.what === 'noted' && stepTimes.has(at.getTime()))) return []
      return [eventAt(at, { ...seen, by: actor_name ?? '' })]
    }),
  ]
  return events.toSorted((a, b) => b.at.localeCompare(a.at))
}

const eventAt = (at: Date, event: Partial<CaseEvent> & Pick<CaseEvent, 'what'>): CaseEvent => ({
  at: at.toISOString(),
  by: '',
  to: null,
  reason: '',
  photo: null,
  ...event,
})

const eventOfAction: ReadonlyMap<string, CaseEvent['what']> = new Map([
  ['kyc-viewed', 'viewed'],
  ['kyc-screening-read', 'screening_read'],
  ['kyc-approval-proposed', 'approval_proposed'],
  ['kyc-final-proposed', 'final_proposed'],
  ['kyc-lift-proposed', 'lift_proposed'],
  ['kyc-lift-taken-back', 'lift_taken_back'],
  ['kyc-refusal-shared', 'refusal_shared'],
  ['kyc-lifted', 'lifted'],
  ['kyc-updated', 'noted'],
  ['kyc-exported', 'exported'],
  ['kyc-photos-destroyed', 'photos_destroyed'],
])

/** Returns what an audit log entry means to an officer; null if it adds nothing. */
function readEntry(
  action: string,
  detail: Record<string, unknown>,
): Pick<CaseEvent, 'what' | 'photo'> | null {
  const photo = typeof detail['n'] === 'number' ? detail['n'] : null
  if (action === 'kyc-photo-viewed') return { what: 'photo_viewed', photo }
  if (action === 'kyc-photo-judged')
    return { what: detail['verdict'] === 'refused' ? 'photo_refused' : 'photo_accepted', photo }
  const what = action === 'kyc-assigned' ? assignmentOf(detail) : eventOfAction.get(action)
  return what ? { what, photo: null } : null
}

function assignmentOf({ to, isTakenOver }: Record<string, unknown>): CaseEvent['what'] {
  if (to !== 'me') return 'given_back'
  return isTakenOver === true ? 'taken_over' : 'taken'
}
