import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { settleFiles } from '../pending-files/pending-file.queries.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { saveFingerprints } from './fingerprints.ts'
import { stopHandoff } from './handoff/stop-handoff.ts'
import type { StoredPhoto } from './kyc-photo.queries.ts'
import type { KycRow } from './kyc.queries.ts'
import { mailOfTransition, notifyApplicant } from './notify-applicant.ts'
import { deleteStagedPhotosOf } from './staged-photo.queries.ts'

/** Each submission decodes up to eight large pictures, whether it succeeds or not. */
const perDayMax = 10

export const requireSubmissionsLeft = ({ db, keys, caller }: MemberContext): Promise<void> =>
  requireWithinLimits(db, keys, [{ key: `kyc ${caller.memberId}`, max: perDayMax, window: DAY }])

/** Steps that every submission performs in its transaction, the first and each answer. */
export async function completeSubmission(
  db: Tx,
  row: KycRow,
  photos: readonly StoredPhoto[],
  context: MemberContext,
): Promise<void> {
  await settleFiles(
    db,
    photos.map(({ fileKey }) => fileKey),
  )
  await saveFingerprints(db, context.keys, row)
  // Ended first, so that a photo still being uploaded from a phone is refused.
  await stopHandoff(db, row.member_id, 'application')
  await deleteStagedPhotosOf(db, row.member_id)
  await notifyApplicant(db, context, row.member_id, mailOfTransition('submitted'))
}
