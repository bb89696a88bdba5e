import { recordAudit } from '../audit/audit.queries.ts'
import { transaction, type Database } from '../db/database.ts'
import { destroyPhotos, lockPhotosDue } from './kyc-erasure.queries.ts'

const atOnce = 200

/**
 * Destroys the keys of pictures that are due, each recorded in the audit log: of applications that were refused
 * or left unanswered for `stale` milliseconds, and of those approved `kept` milliseconds ago.
 */
export async function destroyPhotosDue(db: Database, age: { stale: number; kept: number }): Promise<void> {
  await transaction(db, async (db) => {
    const rows = await lockPhotosDue(db, age, atOnce)
    for (const row of rows) {
      await destroyPhotos(db, row.id)
      await recordAudit(db, {
        actorId: null,
        action: 'kyc-photos-destroyed',
        subjectKind: 'kyc',
        subjectId: row.id,
        detail: { photos: row.photo_count, status: row.status },
      })
    }
  })
}
