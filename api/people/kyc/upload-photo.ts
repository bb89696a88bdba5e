import { randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { discardFiles, settleFiles } from '../../platform/pending-files/pending-file.queries.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { lockActiveMember } from '../members/member.queries.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { requireRoom } from './handoff/handoff.queries.ts'
import { stagedPhotosMax } from './kyc.rules.ts'
import { importPhoto } from '../../platform/pictures/import-photo.ts'
import { newDataKey, openDataKey, readPhoto, storePhoto } from './encrypted-documents.ts'
import {
  deleteOldestStagedPhotos,
  deleteStagedPhoto,
  findStagedPhoto,
  insertStagedPhoto,
  listStagedPhotosOf,
  lockStagedPhotos,
  type StagedPhotoRow,
} from './staged-photo.queries.ts'

const perDayMax = 80

/** Stages one photo before its application, encrypted under a key of its own. */
export const stageKycPhoto: Handler<typeof api.stageKycPhoto> = ({ body }, context) =>
  stagePhoto(body.photo, context.caller.memberId, context)

/**
 * If there are too many, the oldest are deleted: the member has no use for them and can't be told to reload. With
 * `handoffId` the photo comes from a phone, which may send as many as its device link allows.
 */
export async function stagePhoto(
  photo: string,
  memberId: string,
  { db, keys, files, uploads }: Pick<MemberContext, 'db' | 'keys' | 'files' | 'uploads'>,
  handoffId?: string,
): Promise<{ id: string; bytes: number }> {
  await requireWithinLimits(db, keys, [{ key: `kyc photo ${memberId}`, max: perDayMax, window: DAY }])
  const picture = await importPhoto(photo, 'photo', { memberId, uploads })
  const id = randomUUID()
  const { dataKey, sealedDataKey } = newDataKey(keys, id)
  const { fileKey, bytes } = await storePhoto({ db, files, keys }, dataKey, id, picture)
  try {
    await transaction(db, async (db) => {
      await requireNotErased(db, memberId)
      if (handoffId !== undefined) await requireRoom(db, handoffId)
      await settleFiles(db, [fileKey])
      await lockStagedPhotos(db, memberId)
      await insertStagedPhoto(db, { id, memberId, fileKey, sealedDataKey, bytes, handoffId })
      await deleteOldestStagedPhotos(db, memberId, stagedPhotosMax)
    })
  } catch (error) {
    await discardFiles(db, files, [fileKey])
    throw error
  }
  return { id, bytes }
}

/** Processing a picture takes time; a member erased meanwhile must not get data again. Locked first, in the order of erasure. */
export async function requireNotErased(db: Tx, memberId: string): Promise<void> {
  if (!(await lockActiveMember(db, memberId))) throw new Refused('session_expired')
}

export const openStagedPhoto = (
  { keys, files }: Pick<MemberContext, 'keys' | 'files'>,
  { id, sealed_data_key, file_key }: StagedPhotoRow,
): Promise<Buffer | undefined> => readPhoto(files, openDataKey(keys, id, sealed_data_key), id, file_key)

/** The picture of a photo that the caller staged. */
export async function readStagedPhoto(id: string, path: string, context: MemberContext): Promise<Buffer> {
  const row = await findStagedPhoto(context.db, context.caller.memberId, id)
  const picture = row && (await openStagedPhoto(context, row))
  if (!picture) throw refusedField(path, 'photo_gone')
  return picture
}

export const listStagedKycPhotos: Handler<typeof api.listStagedKycPhotos> = async (_, { db, caller }) => {
  const rows = await listStagedPhotosOf(db, caller.memberId)
  return rows.toReversed().map(({ id, created_at, bytes }) => ({ id, at: created_at.toISOString(), bytes }))
}

export const getStagedKycPhoto: Handler<typeof api.getStagedKycPhoto> = async ({ params }, context) => {
  const row = await findStagedPhoto(context.db, context.caller.memberId, params.id)
  const bytes = row && (await openStagedPhoto(context, row))
  if (!bytes) throw new Refused('not_found')
  return { contentType: 'image/jpeg', bytes }
}

export const deleteKycPhoto: Handler<typeof api.deleteKycPhoto> = async ({ params }, { db, caller }) => {
  const isPaymentDropped = await transaction(db, (db) => deleteStagedPhoto(db, caller.memberId, params.id))
  if (!isPaymentDropped) throw new Refused('not_found')
  return { dropped: true }
}
