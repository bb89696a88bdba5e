import { randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { defaultEventId } from '#contract/kyc.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { readApplicant, withCheckedAddresses } from './applicant.ts'
import { completeSubmission, requireSubmissionsLeft } from './complete-submission.ts'
import { findNewestKyc, hasOpenKyc, insertKyc, isFinallyRejected } from './kyc.queries.ts'
import { canResubmit } from './kyc.rules.ts'
import { presentKyc } from './present-kyc.ts'
import { requireAge, resubmit } from './resubmit-application.ts'
import { newDataKey } from './encrypted-documents.ts'
import { requireNotErased } from './upload-photo.ts'
import { withStoredPictures } from './with-stored-pictures.ts'

/**
 * Creates an application. If more information was requested, it becomes the answer, because a person has only one case
 * at a time.
 */
export const createKyc: Handler<typeof api.createKyc> = async ({ body }, context) => {
  const { db, caller, keys, config } = context
  if (await hasOpenKyc(db, caller.memberId)) throw new Refused('conflict')
  if (await isFinallyRejected(db, caller.memberId)) throw new Refused('conflict')
  const newest = await findNewestKyc(db, caller.memberId)
  if (newest && canResubmit(newest.status)) return resubmit(newest, body, context)
  const applicant = await withCheckedAddresses(db, readApplicant(body))
  requireAge(applicant.dateOfBirth, config.kycAgeMin)
  await requireSubmissionsLeft(context)
  const id = randomUUID()
  const { dataKey, sealedDataKey } = newDataKey(keys, id)
  return withStoredPictures(body.photoUrls, { id, dataKey }, context, (photos) =>
    transaction(db, async (db) => {
      await requireNotErased(db, caller.memberId)
      const row = await insertKyc(db, {
        ...applicant,
        id,
        memberId: caller.memberId,
        eventId: body.eventId || defaultEventId,
        sealedDataKey,
        photos,
      })
      await completeSubmission(db, row, photos, context)
      return presentKyc(row, false)
    }),
  )
}
