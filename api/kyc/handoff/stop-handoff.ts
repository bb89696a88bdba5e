import { recordAudit } from '../../audit/audit.queries.ts'
import type { Tx } from '../../db/database.ts'
import { endHandoffOfMember } from './handoff.queries.ts'

/** `actorId` is null where it is only known that a phone had the link. */
export const auditHandoff = (
  db: Tx,
  memberId: string,
  action: 'kyc-handoff-made' | 'kyc-handoff-opened' | 'kyc-handoff-ended',
  actorId: string | null,
  detail: Record<string, string> = {},
): Promise<void> => recordAudit(db, { actorId, action, subjectKind: 'member', subjectId: memberId, detail })

/** Ends the member's hand-off, where there is one. `by` is what ended it. */
export async function stopHandoff(
  db: Tx,
  memberId: string,
  by: 'computer' | 'phone' | 'application',
): Promise<void> {
  if (await endHandoffOfMember(db, memberId))
    await auditHandoff(db, memberId, 'kyc-handoff-ended', by === 'phone' ? null : memberId, { by })
}
