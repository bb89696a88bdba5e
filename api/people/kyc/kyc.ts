import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { type Database, transaction } from '../../platform/db/database.ts'
import { retention } from '../members/retention.ts'
import { collectHandlers, type Module } from '../../platform/module.ts'
import { expireApprovals, notifyOfExpiry } from './expire-approvals.ts'
import { readApplications, readPhones, readPictures, readWaitingPhotos } from './export-applications.ts'
import { deleteHandoffsOfMember, deleteOldHandoffs } from './handoff/handoff.queries.ts'
import * as handoffHandlers from './handoff/handoff-handlers.ts'
import {
  destroyDocumentsOfErased,
  destroyPhotos,
  eraseKycOfMember,
  hasKycToErase,
  hasRetainedKyc,
  lockPhotosDue,
} from './kyc-erasure.queries.ts'
import { deleteFingerprintsPast } from './fingerprint.queries.ts'
import { addMissingFingerprints } from './fingerprints.ts'
import { forgetFile, listDestroyedFiles } from './kyc-photo.queries.ts'
import { stagedPhotoAge, stalePhotosAge } from './kyc.rules.ts'
import { isFinallyRejected } from './kyc.queries.ts'
import * as applicationReads from './read-applications.ts'
import * as readHistory from './read-history.ts'
import * as assignCase from './review/assign-case.ts'
import * as caseNotes from './review/case-notes.ts'
import * as decide from './review/decide.ts'
import * as exportCase from './review/export-case.ts'
import * as liftRefusal from './review/reverse-rejection.ts'
import * as reviewPhoto from './review/review-photo.ts'
import * as readCases from './review/read-cases.ts'
import * as readEvents from './review/read-events.ts'
import * as stagePhoto from './upload-photo.ts'
import { countStagedPhotos, deleteOldStagedPhotos, deleteStagedPhotosOf } from './staged-photo.queries.ts'
import * as submitApplication from './submit-application.ts'
import { cancelExpiredApprovals } from './review/case-approval.queries.ts'
import { startScreening } from './screening/screen-waiting.ts'
import * as readScreening from './screening/read-screening.ts'
import * as updateApplication from './update-application.ts'

const filesAtOnce = 500

const atOnce = 200

/**
 * Destroys the keys of pictures that are due, each recorded in the audit log: of applications that were refused
 * or left unanswered for `stale` milliseconds, and of those approved `kept` milliseconds ago.
 */
async function destroyPhotosDue(db: Database, age: { stale: number; kept: number }): Promise<void> {
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

/** Identity verification: applications with their photos, the hand-off to a phone, and the review by officers. */
export const kyc = {
  calls: collectHandlers(
    handoffHandlers,
    applicationReads,
    readHistory,
    assignCase,
    caseNotes,
    decide,
    exportCase,
    liftRefusal,
    reviewPhoto,
    readCases,
    readEvents,
    stagePhoto,
    submitApplication,
    readScreening,
    updateApplication,
  ),
  personal: {
    columns: {
      kyc_application: {
        full_name: 'retained',
        last_name: 'retained',
        country: 'retained',
        date_of_birth: 'retained',
        email: 'retained',
        email_alias: 'retained',
        eth_address: 'retained',
        btc_address: 'retained',
        reason: 'retained',
        // Reason of an unanswered proposal of a final rejection.
        final_proposed_reason: 'retained',
        note: 'retained',
        sealed_data_key: 'retained',
        // The database deletes the hashes together with the name.
        screening_hash: 'retained',
        screened_list_hash: 'retained',
        // A destroyed application remains as a stub with dates and states.
        event_id: 'remains',
        member_id: 'remains',
        assignee_id: 'remains',
        decided_by: 'remains',
        final_proposed_by: 'remains',
        approval_proposed_by: 'remains',
        screening_read_by: 'remains',
        final_lift_proposed_by: 'remains',
      },
      kyc_photo: { content_hash: 'retained', reason: 'retained', note: 'retained', file_key: 'expires' },
      kyc_step: { reason: 'retained', earlier: 'retained', by_member_id: 'remains' },
      // For a final rejection, the fingerprints outlive the documents.
      kyc_fingerprint: { hash: 'retained' },
      kyc_staged_photo: { member_id: 'erased', file_key: 'erased', sealed_data_key: 'erased' },
      phone_handoff: {
        member_id: 'erased',
        session_id: 'erased',
        device: 'erased',
        link_hash: 'erased',
        secret_hash: 'erased',
      },
    },
    parts: {
      identityApplications: { isList: true, read: readApplications },
      waitingPhotos: { isList: true, read: readWaitingPhotos },
      phones: { isList: true, read: readPhones },
    },
    attachments: readPictures,
    retains: {
      identity: (db, { id }) => hasRetainedKyc(db, id),
      // The subject is not told of a proposed refusal here; the privacy notice informs everyone.
      refusal: (db, { id }) => isFinallyRejected(db, id),
    },
    erases: {
      identity: (db, { id }) => hasKycToErase(db, id),
      waitingPhotos: async (db, { id }) => (await countStagedPhotos(db, id)) > 0,
    },
    erase: async (db, { id }, _retained, { keys, isRepeated }) => {
      await deleteStagedPhotosOf(db, id)
      // Retained data may have been undecided in the backup; deletions are recorded separately.
      if (!isRepeated) await eraseKycOfMember(db, keys, id)
      await deleteHandoffsOfMember(db, id)
    },
  },
  workers: [startScreening],
  cleanUp: {
    photosDue: ({ db, config }) => destroyPhotosDue(db, { stale: stalePhotosAge, kept: config.kycRetention }),
    documentsOfErased: ({ db }) => destroyDocumentsOfErased(db, retention),
    fingerprintsPast: ({ db }) => deleteFingerprintsPast(db, retention),
    missingFingerprints: addMissingFingerprints,
    staleVoices: ({ db, config }) => cancelExpiredApprovals(db, config),
    noticesOfExpiry: notifyOfExpiry,
    expiredApprovals: expireApprovals,
    stagedPhotos: ({ db }) => deleteOldStagedPhotos(db, stagedPhotoAge),
    // Photos from a phone are kept as long as any staged photo.
    handoffs: ({ db }) => deleteOldHandoffs(db, stagedPhotoAge),
    filesOfDestroyed: async ({ db, files }) => {
      for (const { file_key } of await listDestroyedFiles(db, filesAtOnce)) {
        await files.remove(file_key)
        await forgetFile(db, file_key)
      }
    },
  },
} satisfies Module
