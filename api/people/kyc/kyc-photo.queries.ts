import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { abandonFiles } from '../../platform/pending-files/pending-file.queries.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'

export type StoredPhoto = { fileKey: string; contentType: string; bytes: number; contentHash: string }

/** Inserts the photos of an application in its current submission, numbered from `first`. */
export async function insertKycPhotos(
  db: Tx,
  application: { id: string; round: number },
  photos: readonly StoredPhoto[],
  first: number,
): Promise<void> {
  if (photos.length === 0) return
  await db
    .insertInto('kyc_photo')
    .values(
      photos.map((photo, index) => ({
        application_id: application.id,
        n: first + index,
        file_key: photo.fileKey,
        content_type: photo.contentType,
        bytes: photo.bytes,
        content_hash: photo.contentHash,
        round: application.round,
      })),
    )
    .execute()
}

/** Marks rejected photos as answered: they are kept as evidence and no longer reviewed. */
export async function replaceRejectedPhotos(
  db: Tx,
  application: { id: string; round: number },
): Promise<void> {
  await db
    .updateTable('kyc_photo')
    .set({ replaced_in_round: application.round })
    .where('application_id', '=', application.id)
    .where('verdict', '=', 'refused')
    .where('replaced_in_round', 'is', null)
    .execute()
}

/** The photos are kept, but must be reviewed again. */
export async function reopenPhotos(db: Tx, applicationId: string): Promise<void> {
  await db
    .updateTable('kyc_photo')
    .set({ verdict: 'open', reason: '' })
    .where('application_id', '=', applicationId)
    .where('replaced_in_round', 'is', null)
    .execute()
}

/** Deletes the photo rows of an application whose key was destroyed: its pictures are unreadable. */
export async function deletePhotoRows(db: Tx, applicationId: string): Promise<void> {
  const rows = await db
    .deleteFrom('kyc_photo')
    .where('application_id', '=', applicationId)
    .returning('file_key')
    .execute()
  await abandonFiles(
    db,
    rows.map(({ file_key }) => file_key),
  )
}

export const findKycPhoto = (db: Tx, applicationId: string, n: number) =>
  db
    .selectFrom('kyc_photo')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('n', '=', n)
    .executeTakeFirst()

/** Files whose key was destroyed, to be removed from the store. */
export const listDestroyedFiles = (db: Tx, limit: number) =>
  db
    .selectFrom('kyc_photo')
    .innerJoin('kyc_application', 'kyc_application.id', 'kyc_photo.application_id')
    .select(['file_key', 'application_id', 'n'])
    .where('kyc_application.sealed_data_key', 'is', null)
    .limit(limit)
    .execute()

export const listKycPhotos = (db: Tx, applicationId: string) =>
  db.selectFrom('kyc_photo').selectAll().where('application_id', '=', applicationId).orderBy('n').execute()

export async function forgetFile(db: Tx, fileKey: string): Promise<void> {
  await db.deleteFrom('kyc_photo').where('file_key', '=', fileKey).execute()
}

/** Identifies a photo that an officer viewed during a submission. The audit log keeps the record. */
type SeenPhoto = { officerId: string; id: string; n: number; round: number }

const viewed = 'kyc-photo-viewed'

/** `mark` is printed on the picture. */
export const recordSeenPhoto = (db: Tx, { officerId, id, n, round }: SeenPhoto, mark: string) =>
  recordAudit(db, {
    actorId: officerId,
    action: viewed,
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
    .where('action', '=', viewed)
    .where('detail', '@>', sql<string>`${JSON.stringify({ n, round })}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return seen !== undefined
}
