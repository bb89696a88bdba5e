import type { Tx } from '../db/database.ts'

/** One line of who did what. `detail` names fields and states, never personal values. */
export async function recordAudit(
  db: Tx,
  entry: {
    actorId: string | null
    action: string
    subjectKind: string
    subjectId: string | null
    detail?: Record<string, string | number | boolean | string[]>
  },
): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values({
      actor_id: entry.actorId,
      action: entry.action,
      subject_kind: entry.subjectKind,
      subject_id: entry.subjectId,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute()
}
