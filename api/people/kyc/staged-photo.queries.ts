import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import { abandonFiles } from '../../platform/pending-files/pending-file.queries.ts'

type StagedPhoto = {
  id: string
  memberId: string
  fileKey: string
  sealedDataKey: Buffer
  bytes: number
  handoffId?: string | undefined
}

export async function insertStagedPhoto(db: Tx, photo: StagedPhoto): Promise<void> {
  await db
    .insertInto('kyc_staged_photo')
    .values({
      id: photo.id,
      member_id: photo.memberId,
      file_key: photo.fileKey,
      sealed_data_key: photo.sealedDataKey,
      bytes: photo.bytes,
      handoff_id: photo.handoffId ?? null,
    })
    .execute()
}

export const findStagedPhoto = (db: Tx, memberId: string, id: string) =>
  db
    .selectFrom('kyc_staged_photo')
    .selectAll()
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()

export const listStagedPhotosOf = (db: Tx, memberId: string) =>
  db
    .selectFrom('kyc_staged_photo')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
export type StagedPhotoRow = Awaited<ReturnType<typeof listStagedPhotosOf>>[number]

export async function countStagedPhotos(db: Tx, memberId: string): Promise<number> {
  const { count } = await db
    .selectFrom('kyc_staged_photo')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return count
}

/** Locks the member's staged photos, so that concurrent uploads are counted one after the other. */
export const lockStagedPhotos = (db: Tx, memberId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`staged photos ${memberId}`}, 0))`.execute(db)

export async function deleteOldestStagedPhotos(db: Tx, memberId: string, max: number): Promise<void> {
  const rows = await db
    .deleteFrom('kyc_staged_photo')
    .where('id', 'in', (query) =>
      query
        .selectFrom('kyc_staged_photo')
        .select('id')
        .where('member_id', '=', memberId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(max),
    )
    .returning('file_key')
    .execute()
  await abandonFiles(
    db,
    rows.map(({ file_key }) => file_key),
  )
}

/** The row holds the only key of its picture: deleting the row destroys the picture, the file is removed later. */
export async function deleteStagedPhoto(
  db: Tx,
  memberId: string,
  id: string,
  handoffId?: string,
): Promise<boolean> {
  const rows = await db
    .deleteFrom('kyc_staged_photo')
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .$if(handoffId !== undefined, (query) => query.where('handoff_id', '=', handoffId!))
    .returning('file_key')
    .execute()
  await abandonFiles(
    db,
    rows.map(({ file_key }) => file_key),
  )
  return rows.length > 0
}

export async function deleteStagedPhotosOf(db: Tx, memberId: string): Promise<void> {
  const rows = await db
    .deleteFrom('kyc_staged_photo')
    .where('member_id', '=', memberId)
    .returning('file_key')
    .execute()
  await abandonFiles(
    db,
    rows.map(({ file_key }) => file_key),
  )
}

/** One statement each, so that an interruption at worst leaves a row for the next clean-up. */
export async function deleteOldStagedPhotos(db: Tx, age: number): Promise<void> {
  const rows = await db
    .selectFrom('kyc_staged_photo')
    .select(['id', 'member_id', 'file_key'])
    .where('created_at', '<', ago(age))
    .limit(500)
    .execute()
  for (const row of rows) {
    await abandonFiles(db, [row.file_key])
    await db.deleteFrom('kyc_staged_photo').where('id', '=', row.id).execute()
  }
}
