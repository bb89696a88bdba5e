import { recordAudit } from '#api/platform/audit/audit.queries.ts'
import { openDatabase } from '#api/platform/db/database.ts'

/** Records a restore in the audit log of the restored database. */
export async function recordRestore(url: string, takenAt: string): Promise<void> {
  const db = openDatabase(url, () => undefined)
  try {
    const entry = { action: 'database-restored', subjectKind: 'release', detail: { takenAt } } as const
    await recordAudit(db, { ...entry, actorId: null, subjectId: null })
  } finally {
    await db.destroy()
  }
}
