import { DAY, HOUR, MINUTE } from '#contract/durations.ts'
import { emptyTrash } from '../announcements/announcement.queries.ts'
import { deleteOldAutosaves } from '../announcements/autosaves/autosave.queries.ts'
import { removeUnusedPictures } from '../announcements/pictures/picture.queries.ts'
import { signBacklog } from '../announcements/signatures/sign-published.ts'
import { isOutage } from '../db/database.ts'
import { removePendingFiles } from '../files/pending-file.queries.ts'
import { deleteOldIdempotencyKeys } from '../idempotency/idempotent.ts'
import { destroyPhotosDue } from '../kyc/destroy-photos.ts'
import { expireApprovals, tellOfExpiry } from '../kyc/expire-approvals.ts'
import { deleteOldHandoffs } from '../kyc/handoff/handoff.queries.ts'
import { destroyDocumentsOfErased, forgetFile, listDestroyedFiles } from '../kyc/kyc.queries.ts'
import { stagedPhotoAge, stalePhotosAge } from '../kyc/kyc.rules.ts'
import { dropOldStagedPhotos } from '../kyc/staged-photo.queries.ts'
import { deleteOldMails } from '../mail/mail.queries.ts'
import { deleteDeadEmailChanges } from '../accounts/email-change.queries.ts'
import { forgetOldClients } from '../members/member.queries.ts'
import { deleteDeadResetCodes } from '../accounts/reset-code.queries.ts'
import { retention } from '../members/retention.ts'
import { deleteDeadSignUps } from '../accounts/sign-up.queries.ts'
import { deleteConsentsOfErased } from '../consents/consent.queries.ts'
import { deleteOrdersOfErased } from '../orders/order.queries.ts'
import { deleteDeadChallenges } from '../sessions/passkeys/passkey.queries.ts'
import { deleteOldQuotes } from '../orders/quote.queries.ts'
import type { Services } from '../services.ts'
import { deleteDeadSessions } from '../sessions/session.queries.ts'
import { deletePassedLimits } from '../rate-limits/rate-limit.ts'

const every = HOUR
const filesAtOnce = 500
/** Far longer than taking in an application lasts. */
const pendingFileAge = 15 * MINUTE
/** Far longer than a post is written without any autosave of it. */
const unusedPictureAge = 2 * DAY

/** Removes and ends what has expired. Each step may run in several instances at once and may be cut off at any point. */
export function startHousekeeping(services: Services): { stop(): void } {
  const run = () => void cleanUp(services).catch((error: unknown) => logFailure(services, error))
  const first = setTimeout(run, MINUTE)
  const timer = setInterval(run, every)
  return {
    stop() {
      clearTimeout(first)
      clearInterval(timer)
    },
  }
}

/** One round of it. */
export async function cleanUp(services: Services): Promise<void> {
  const { db, files, config } = services
  await deleteDeadSessions(db)
  await deleteDeadChallenges(db)
  await deleteDeadSignUps(db)
  await deleteDeadResetCodes(db)
  await deleteDeadEmailChanges(db)
  await forgetOldClients(db)
  await deletePassedLimits(db)
  await deleteOldMails(db)
  await deleteOldIdempotencyKeys(db)
  await deleteOldQuotes(db)
  await emptyTrash(db)
  await deleteOldAutosaves(db)
  await destroyPhotosDue(db, { stale: stalePhotosAge, kept: config.kycRetention })
  await destroyDocumentsOfErased(db, retention)
  await deleteOrdersOfErased(db, retention)
  await deleteConsentsOfErased(db, retention)
  await tellOfExpiry(services)
  await expireApprovals(services)
  await dropOldStagedPhotos(db, stagedPhotoAge)
  await removeUnusedPictures(db, files, unusedPictureAge, filesAtOnce)
  await deleteOldHandoffs(db, stagedPhotoAge)
  await removePendingFiles(db, files, pendingFileAge, filesAtOnce)
  for (const { file_key } of await listDestroyedFiles(db, filesAtOnce)) {
    await files.remove(file_key)
    await forgetFile(db, file_key)
  }
  // Last: a signing key that does not open must hold up nothing that has to go.
  await signBacklog(services)
}

function logFailure({ log }: Services, error: unknown): void {
  if (isOutage(error)) log.warn('the clean-up waits for the database')
  else log.error({ name: error instanceof Error ? error.name : 'unknown' }, 'the clean-up failed')
}
