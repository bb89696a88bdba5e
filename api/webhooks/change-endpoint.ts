import type { AuditAction } from '#contract/audit-actions.ts'
import { HOUR } from '#contract/durations.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'
import { lockEndpoint, type WebhookRow } from './webhook.queries.ts'

/** Per hour; resending all failures of an endpoint counts once. */
const limits = {
  changes: { key: 'webhooks', max: 60 },
  tests: { key: 'webhook tests', max: 60 },
  repetitions: { key: 'webhook repetitions', max: 120 },
} as const
type Limited = keyof typeof limits

export async function requireWithin({ caller, db, keys }: MemberContext, what: Limited): Promise<void> {
  const { key, max } = limits[what]
  await requireWithinLimits(db, keys, [{ key: `${key} ${caller.memberId}`, max, window: HOUR }])
}

type Detail = Record<string, string | number | string[]>

export const noteChange = (
  db: Tx,
  { caller }: MemberContext,
  subjectId: string,
  what: { action: AuditAction; detail?: Detail },
): Promise<void> => recordAudit(db, { actorId: caller.memberId, subjectKind: 'webhook', subjectId, ...what })

/** A change of an existing endpoint, which stays locked until the change is recorded. */
export async function changeEndpoint<Done>(
  context: MemberContext,
  id: string,
  limited: Limited,
  step: (
    db: Tx,
    row: WebhookRow,
    note: (action: AuditAction, detail?: Detail) => Promise<void>,
  ) => Promise<Done>,
): Promise<Done> {
  await requireWithin(context, limited)
  return transaction(context.db, async (db) => {
    const row = await lockEndpoint(db, id)
    if (!row) throw new Refused('not_found')
    return step(db, row, (action, detail = {}) => noteChange(db, context, id, { action, detail }))
  })
}
