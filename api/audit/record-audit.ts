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

/** What the member did, and what was done to their record. */
export const listAuditOfMember = (db: Tx, memberId: string) =>
  db
    .selectFrom('audit_entry')
    .select(['at', 'action'])
    .where((where) =>
      where.or([
        where('actor_id', '=', memberId),
        where.and([where('subject_kind', '=', 'member'), where('subject_id', '=', memberId)]),
      ]),
    )
    .orderBy('id')
    .execute()
