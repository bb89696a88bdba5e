import { randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { DAY } from '#contract/durations.ts'
import { defaultEventId, stagedPrefix } from '#contract/kyc.ts'
import { isRefusedByIndex, transaction } from '../db/database.ts'
import { discardFiles, settleFiles } from '../pending-files/pending-file.queries.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { readApplicant, withCheckedAddresses } from './applicant.ts'
import { hasOpenKyc, insertKyc, isRefusedForGood, type KycRow, type StoredPhoto } from './kyc.queries.ts'
import { stopHandoff } from './handoff/stop-handoff.ts'
import { importPhoto } from './pictures/import-photo.ts'
import { presentKyc } from './present-kyc.ts'
import { requireAge } from './require-age.ts'
import { newDataKey, storePhoto } from './sealed-documents.ts'
import { requireNotErased, readStagedPhoto } from './stage-photo.ts'
import { dropStagedPhotosOf } from './staged-photo.queries.ts'
import { mailOfTransition, notifyApplicant } from './notify-applicant.ts'

/** Each submission costs decoding up to eight large pictures, whether it succeeds or not. */
const perDayMax = 10

/** Stores pictures before the record, so that a record never refers to a missing picture. */
export const createKyc: Handler<typeof api.createKyc> = async ({ body }, context) => {
  const { db, caller, keys, config } = context
  const applicant = withCheckedAddresses(readApplicant(body))
  requireAge(applicant.dateOfBirth, config.kycAgeMin)
  if (await hasOpenKyc(db, caller.memberId)) throw new Refused('conflict')
  if (await isRefusedForGood(db, caller.memberId)) throw new Refused('conflict')
  await requireWithinLimits(db, keys, [{ key: `kyc ${caller.memberId}`, max: perDayMax, window: DAY }])
  const id = randomUUID()
  const { dataKey, sealedDataKey } = newDataKey(keys, id)
  const photos: StoredPhoto[] = []
  try {
    for (const [n, photo] of body.photoUrls.entries()) {
      const picture = await takePicture(photo, `photoUrls.${n}`, context)
      photos.push(await storePhoto(context, dataKey, id, picture))
    }
    const record = {
      ...applicant,
      id,
      memberId: caller.memberId,
      eventId: body.eventId || defaultEventId,
      sealedDataKey,
      photos,
    }
    return presentKyc(await insertRecord(context, record), false)
  } catch (error) {
    await discardFiles(
      db,
      context.files,
      photos.map(({ fileKey }) => fileKey),
    )
    if (isRefusedByIndex(error, 'kyc_application_one_open')) throw new Refused('conflict')
    throw error
  }
}

const takePicture = (photo: string, path: string, context: MemberContext): Promise<Buffer> =>
  photo.startsWith(stagedPrefix)
    ? readStagedPhoto(photo.slice(stagedPrefix.length), path, context)
    : importPhoto(photo, path, { memberId: context.caller.memberId, uploads: context.uploads })

const insertRecord = (context: MemberContext, record: Parameters<typeof insertKyc>[1]): Promise<KycRow> =>
  transaction(context.db, async (db) => {
    await requireNotErased(db, record.memberId)
    const row = await insertKyc(db, record)
    await settleFiles(
      db,
      record.photos.map(({ fileKey }) => fileKey),
    )
    // Ended first, so that a photo still being uploaded from a phone is refused.
    await stopHandoff(db, record.memberId, 'application')
    await dropStagedPhotosOf(db, record.memberId)
    await notifyApplicant(db, context, record.memberId, mailOfTransition('submitted'))
    return row
  })
