import { HOUR } from '#contract/durations.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import type { MemberContext } from '../../http/handler.ts'
import { getMemberById } from '../../members/member.queries.ts'
import { Refused } from '../../refused.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { findAnyCase, type KycRow } from '../kyc.queries.ts'
import { newMark } from '../../pictures/watermark.ts'
import { requireOthersCase } from './require-own-case.ts'

type Officer = Awaited<ReturnType<typeof getMemberById>>

/**
 * Cases are exported one at a time, each logged, and rate-limited so that nobody can copy all of them. The mark
 * is in the log entry and, with the number of the picture, on each picture.
 */
export async function beginExport(
  id: string,
  format: 'json' | 'pdf',
  { db, keys, caller }: MemberContext,
): Promise<{ row: KycRow; officer: Officer; mark: string }> {
  const row = await findAnyCase(db, id)
  if (!row) throw new Refused('not_found')
  requireOthersCase(row, caller.memberId)
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `kyc-export ${caller.memberId}`, max: 60, window: HOUR }])
  const mark = newMark()
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'kyc-exported',
    subjectKind: 'kyc',
    subjectId: row.id,
    detail: { format, mark },
  })
  return { row, officer: await getMemberById(db, caller.memberId), mark }
}
