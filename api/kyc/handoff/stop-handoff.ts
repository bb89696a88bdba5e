import { recordAudit } from '../../audit/audit.queries.ts'
import type { Tx } from '../../db/database.ts'
import { endHandoffOfMember } from './handoff.queries.ts'

/** `actorId` is null if only a phone with the link is known. */
export const auditHandoff = (
  db: Tx,
  memberId: string,
  entry: {
    action: 'kyc-handoff-made' | 'kyc-handoff-opened' | 'kyc-handoff-ended'
    actorId: string | null
    detail?: Record<string, string>
  },
): Promise<void> => recordAudit(db, { detail: {}, ...entry, subjectKind: 'member', subjectId: memberId })

/** Ends the member's hand-off, if there is one. `by` is the cause. */
export async function stopHandoff(
  db: Tx,
  memberId: string,
  by: 'computer' | 'phone' | 'application',
): Promise<void> {
  if (await endHandoffOfMember(db, memberId))
    await auditHandoff(db, memberId, {
      action: 'kyc-handoff-ended',
      actorId: by === 'phone' ? null : memberId,
      detail: { by },
    })
}
