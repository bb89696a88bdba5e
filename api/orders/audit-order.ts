import type { AuditAction } from '#contract/audit-actions.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'

/** An entry of the audit log about an order. `actorId` is null where the program itself acts. */
export const auditOrder = (
  db: Tx,
  actorId: string | null,
  action: AuditAction,
  id: string,
  detail: {
    status?: string
    fields?: string[]
    act?: string
    changes?: string[]
    refund?: string
    refundBefore?: string
  } = {},
): Promise<void> => recordAudit(db, { actorId, action, subjectKind: 'order', subjectId: id, detail })
