import { recordAudit } from '../audit/record-audit.ts'
import { transaction, type Database } from '../db/database.ts'
import { ago, withoutPhotos } from './kyc.queries.ts'
import { statesKeptByLaw } from './kyc.rules.ts'

const atOnce = 200

/**
 * Destroys the keys of pictures whose time has come, each with a receipt in the audit log: those of applications that were refused
 * or left unanswered for `stale` milliseconds, and those of approved ones that were decided `kept` ago.
 */
export async function destroyPhotosDue(db: Database, age: { stale: number; kept: number }): Promise<void> {
  await transaction(db, async (db) => {
    const rows = await db
      .selectFrom('kyc_application')
      .select(['id', 'status', 'photo_count'])
      .where('sealed_data_key', 'is not', null)
      .where((where) =>
        where.or([
          where.and([
            where('status', 'in', ['rejected', 'more_info']),
            where('updated_at', '<', ago(age.stale)),
          ]),
          where.and([where('status', 'in', statesKeptByLaw), where('decided_at', '<', ago(age.kept))]),
        ]),
      )
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const row of rows) {
      await db.updateTable('kyc_application').set(withoutPhotos).where('id', '=', row.id).execute()
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
