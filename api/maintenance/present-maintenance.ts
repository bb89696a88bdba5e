import type { Maintenance } from '#contract/console/maintenance.ts'
import type { Tx } from '../platform/db/database.ts'
import { findMaintenanceForStaff } from '../platform/maintenance/maintenance.queries.ts'

/** Maintenance as administrators see it; null while it is off. */
export async function presentMaintenance(db: Tx): Promise<Maintenance | null> {
  const row = await findMaintenanceForStaff(db)
  if (!row) return null
  return { since: row.since.toISOString(), until: row.until?.toISOString() ?? null, by: row.starter_name }
}
