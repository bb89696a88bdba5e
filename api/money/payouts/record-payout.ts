import { shortDecimal } from '#contract/platform/decimal.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'
import type { RunRow } from './payout.queries.ts'

/** Records an action on a run in the audit log. */
export const auditRun = (
  db: Tx,
  { by, action }: { by: string | null; action: AuditActionOn<'payout'> },
  { id, number }: Pick<RunRow, 'id' | 'number'>,
  detail: Record<string, string | number | boolean> = {},
): Promise<void> =>
  recordAudit(db, {
    actorId: by,
    action,
    subjectKind: 'payout',
    subjectId: id,
    detail: { number: Number(number), ...detail },
  })

type RunChange = 'frozen' | 'approved' | 'exported' | 'cancelled' | 'done'

export const recordRunChange = (
  db: Tx,
  run: Pick<RunRow, 'id' | 'number' | 'items' | 'total' | 'hash'>,
  state: RunChange,
): Promise<void> =>
  recordEvent(db, 'payout.changed', run.id, {
    runId: run.id,
    number: Number(run.number),
    state,
    items: run.items,
    total: shortDecimal(run.total),
    hash: run.hash,
    changedAt: new Date().toISOString(),
  })
