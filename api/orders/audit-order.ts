import type { AuditAction } from '#contract/audit-actions.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'

/** Records an action on an order in the audit log. `actorId` is null if the system acts. */
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
