import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import { getMemberById } from '../members/member.queries.ts'
import { deleteFactors, followLastFactor, hasAnyFactor } from './factors.ts'
import { notifyMember, type MailContext } from './notify-member.ts'

/** Removes all factors; the member is notified if there were any. */
export async function revokeFactors(db: Tx, context: MailContext, memberId: string): Promise<void> {
  const hadAny = await hasAnyFactor(db, memberId)
  await notingFourEyes(db, context, await getMemberById(db, memberId), () => deleteFactors(db, memberId))
  await followLastFactor(db, memberId)
  if (!hadAny) return
  await notifyMember(db, context, memberId, 'factors-ended')
  await recordAudit(db, {
    actorId: memberId,
    action: 'factors-ended',
    subjectKind: 'member',
    subjectId: memberId,
  })
}
