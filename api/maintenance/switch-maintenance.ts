import { SECOND } from '#contract/platform/durations.ts'
import { extendDeadlines } from '../money/orders/order-deadline.queries.ts'
import { postponeLostFactors } from '../people/sessions/lost-factors/lost-factor.queries.ts'
import { recordAudit } from '../platform/audit/audit.queries.ts'
import { announceChange } from '../platform/db/changes.ts'
import { transaction, type Database } from '../platform/db/database.ts'
import { deleteMaintenance, upsertMaintenance } from '../platform/maintenance/maintenance.queries.ts'

/** `actorId` is null for a command. */
type Switching = { actorId: string | null }

const about = { subjectKind: 'maintenance', subjectId: null } as const

/** Turns maintenance on, or changes its expected end. */
export const startMaintenance = (
  db: Database,
  { actorId, until }: Switching & { until: Date | null },
): Promise<void> =>
  transaction(db, async (db) => {
    const isNew = await upsertMaintenance(db, { until, startedBy: actorId })
    await recordAudit(db, {
      ...about,
      actorId,
      action: isNew ? 'maintenance-started' : 'maintenance-changed',
      ...(until && { detail: { until: until.toISOString() } }),
    })
    await announceChange(db, 'maintenance')
  })

/**
 * Turns maintenance off and returns whether it was on. Its duration is added to the deadlines by which members could do
 * nothing, in the same transaction, so that no worker sees them as they were.
 */
export const endMaintenance = (db: Database, { actorId }: Switching): Promise<boolean> =>
  transaction(db, async (db) => {
    const ended = await deleteMaintenance(db)
    if (!ended) return false
    const orders = await extendDeadlines(db, ended)
    await postponeLostFactors(db, ended)
    await recordAudit(db, {
      ...about,
      actorId,
      action: 'maintenance-ended',
      detail: { seconds: Math.round(ended.ms / SECOND), orders },
    })
    await announceChange(db, 'maintenance')
    return true
  })
