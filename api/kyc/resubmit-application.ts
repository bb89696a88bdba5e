import { photosMax, type KycApplication } from '#contract/kyc.ts'
import { ageOn } from '#contract/dates.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { listFinanceOfficers } from '../members/approver.queries.ts'
import { Refused, refusedField } from '../refused.ts'
import { applicantOf, readApplicant, withCheckedAddresses, type Given } from './applicant.ts'
import { completeSubmission, requireSubmissionsLeft } from './complete-submission.ts'
import {
  deletePhotoRows,
  insertKycPhotos,
  listKycPhotos,
  reopenPhotos,
  replaceRejectedPhotos,
  type StoredPhoto,
} from './kyc-photo.queries.ts'
import {
  beginRound,
  findNewestKyc,
  insertKycStep,
  isFinallyRejected,
  lockKyc,
  type Applicant,
  type KycRow,
} from './kyc.queries.ts'
import { canResubmit } from './kyc.rules.ts'
import { presentKyc } from './present-kyc.ts'
import { newDataKey, openDataKey } from './encrypted-documents.ts'
import { requireNotErased } from './upload-photo.ts'
import { withStoredPictures } from './with-stored-pictures.ts'

type Answer = Given & { photoUrls?: string[] | undefined }

/**
 * Data that a reviewer compares with the photos and the sanctions lists: if it changes, both must be reviewed again.
 * The lists are searched only by name and date of birth, but a reviewer also considers the country.
 */
const compared: readonly (keyof Applicant)[] = ['fullName', 'lastName', 'country', 'dateOfBirth']

/**
 * Submits the applicant's answer to a request for more information as another submission of the same application.
 * Photos that were not rejected are kept; new ones replace the rejected ones.
 */
export async function resubmit(
  asked: KycRow,
  answer: Answer,
  context: MemberContext,
): Promise<KycApplication> {
  const { db, caller, keys, config } = context
  await requireAsked(db, asked)
  const before = applicantOf(asked)
  const applicant = await withCheckedAddresses(db, readApplicant(answer, before), before)
  if (applicant.dateOfBirth !== before.dateOfBirth) requireAge(applicant.dateOfBirth, config.kycAgeMin)
  const photoUrls = answer.photoUrls ?? []
  const kept = await countKept(db, asked, photoUrls.length)
  if (applicant.ethAddress !== before.ethAddress || applicant.btcAddress !== before.btcAddress)
    caller.requireStepUp()
  await requireSubmissionsLeft(context)
  const { dataKey, sealedDataKey } = asked.sealed_data_key
    ? { dataKey: openDataKey(keys, asked.id, asked.sealed_data_key), sealedDataKey: asked.sealed_data_key }
    : newDataKey(keys, asked.id)
  const application = { id: asked.id, dataKey }
  return withStoredPictures(photoUrls, application, context, (photos) =>
    transaction(db, async (db) => {
      await requireNotErased(db, caller.memberId)
      const row = await lockKyc(db, asked.id)
      if (!row) throw new Refused('not_found')
      await requireAsked(db, row)
      // Answered in another window during the upload, or the other photos were deleted.
      if (row.round !== asked.round || !isSameKey(row, asked)) throw new Refused('conflict')
      const photoCount = kept + photos.length
      const changed = (Object.keys(before) as (keyof Applicant)[]).filter(
        (name) => before[name] !== applicant[name],
      )
      const isComparedChanged = compared.some((name) => changed.includes(name))
      const updated = await beginRound(db, row.id, {
        applicant,
        sealedDataKey,
        photoCount,
        reviewerId: await findReviewer(db, row, context),
        isScreeningKept: !isComparedChanged,
      })
      await writePhotos(db, row, updated, photos)
      if (isComparedChanged) await reopenPhotos(db, row.id)
      await insertKycStep(db, {
        id: row.id,
        from: row.status,
        to: 'submitted',
        reason: '',
        by: caller.memberId,
        earlier: Object.fromEntries(changed.map((name) => [name, before[name]])),
      })
      await completeSubmission(db, updated, photos, context)
      return presentKyc(updated, false)
    }),
  )
}

/** The officer who asked, if they may still review. */
async function findReviewer(
  db: Tx,
  { decided_by }: KycRow,
  { config }: MemberContext,
): Promise<string | null> {
  const officers = await listFinanceOfficers(db, config)
  return officers.some(({ id }) => id === decided_by) ? decided_by : null
}

/** A newer application makes an open question obsolete. */
async function requireAsked(db: Tx, row: KycRow): Promise<void> {
  const newest = await findNewestKyc(db, row.member_id)
  if (!canResubmit(row.status) || newest?.id !== row.id || (await isFinallyRejected(db, row.member_id)))
    throw new Refused('conflict')
}

/**
 * Number of kept photos. New ones are required if one was refused or none is left, within the limit for all.
 */
async function countKept(db: Tx, asked: KycRow, added: number): Promise<number> {
  const photos = asked.sealed_data_key ? await listKycPhotos(db, asked.id) : []
  const current = photos.filter((photo) => photo.replaced_in_round === null)
  const kept = current.filter(({ verdict }) => verdict !== 'refused').length
  const isAsked = kept === 0 || kept < current.length
  if (isAsked && added === 0) throw refusedField('photoUrls', 'required')
  if (kept + added > photosMax) throw refusedField('photoUrls', 'too_many', { max: photosMax })
  return kept
}

async function writePhotos(
  db: Tx,
  before: KycRow,
  now: KycRow,
  photos: readonly StoredPhoto[],
): Promise<void> {
  const known = await listKycPhotos(db, now.id)
  if (before.sealed_data_key === null) await deletePhotoRows(db, now.id)
  else await replaceRejectedPhotos(db, now)
  const first = Math.max(-1, ...known.map(({ n }) => n)) + 1
  await insertKycPhotos(db, now, photos, first)
}

const isSameKey = (one: KycRow, other: KycRow): boolean =>
  one.sealed_data_key && other.sealed_data_key
    ? one.sealed_data_key.equals(other.sealed_data_key)
    : one.sealed_data_key === other.sealed_data_key

/** By the calendar, in UTC. If no date of birth was given, an officer must ask for it. */
export function requireAge(dateOfBirth: string, ageMin: number, now = new Date()): void {
  if (dateOfBirth === '') return
  if (ageOn(dateOfBirth, now.toISOString().slice(0, 10)) < ageMin)
    throw refusedField('dateOfBirth', 'too_young', { min: ageMin })
}
