import type { Tx } from '#api/db/database.ts'
import type { SampleWorld } from './world.ts'

/** Inserts the entries in chronological order, because the hash chain follows the order of insertion. */
export async function insertSampleAudit(db: Tx, { audit }: SampleWorld): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values(
      audit
        .toSorted((a, b) => a.at - b.at)
        .map(({ at, actorId, action, subjectKind, subjectId, detail = {} }) => ({
          at: new Date(at),
          actor_id: actorId,
          action,
          subject_kind: subjectKind,
          subject_id: subjectId,
          detail: JSON.stringify(detail),
        })),
    )
    .execute()
}
