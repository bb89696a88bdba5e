import { sql } from 'kysely'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'

/** Identifies a photo that an officer viewed during a submission. The audit log keeps the record. */
type SeenPhoto = { officerId: string; id: string; n: number; round: number }

const action = 'kyc-photo-viewed'

/** `mark` is printed on the picture. */
export const recordSeenPhoto = (db: Tx, { officerId, id, n, round }: SeenPhoto, mark: string) =>
  recordAudit(db, {
    actorId: officerId,
    action,
    subjectKind: 'kyc',
    subjectId: id,
    detail: { n, round, mark },
  })

export async function hasSeenPhoto(db: Tx, { officerId, id, n, round }: SeenPhoto): Promise<boolean> {
  const seen = await db
    .selectFrom('audit_entry')
    .select('id')
    .where('subject_kind', '=', 'kyc')
    .where('subject_id', '=', id)
    .where('actor_id', '=', officerId)
    .where('action', '=', action)
    .where('detail', '@>', sql<string>`${JSON.stringify({ n, round })}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return seen !== undefined
}
