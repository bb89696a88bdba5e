import { randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { defaultEventId, photosMax, type KycApplication, stagedPrefix } from '#contract/people/kyc.ts'
import { ageOn } from '#contract/platform/dates.ts'
import { DAY } from '#contract/platform/durations.ts'
import { transaction, type Tx, isRefusedByIndex } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { readApplicant, withCheckedAddresses, applicantOf, type Given } from './applicant.ts'
import {
  findNewestKyc,
  hasOpenKyc,
  insertKyc,
  isFinallyRejected,
  beginRound,
  insertKycStep,
  lockKyc,
  type Applicant,
  type KycRow,
} from './kyc.queries.ts'
import { canResubmit } from './kyc.rules.ts'
import { presentKyc } from './present-kyc.ts'
import { newDataKey, openDataKey, storePhoto } from './encrypted-documents.ts'
import { requireNotErased, readStagedPhoto } from './upload-photo.ts'
import { listFinanceOfficers } from '../members/approver.queries.ts'
import {
  deletePhotoRows,
  insertKycPhotos,
  listKycPhotos,
  reopenPhotos,
  replaceRejectedPhotos,
  type StoredPhoto,
} from './kyc-photo.queries.ts'
import { settleFiles, discardFiles } from '../../platform/pending-files/pending-file.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { saveFingerprints } from './fingerprints.ts'
import { stopHandoff } from './handoff/handoff-handlers.ts'
import { mailOfTransition, notifyApplicant } from './notify-applicant.ts'
import { deleteStagedPhotosOf } from './staged-photo.queries.ts'
import { importPhoto } from '../../platform/pictures/import-photo.ts'

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

/** Each submission decodes up to eight large pictures, whether it succeeds or not. */
const perDayMax = 10

const requireSubmissionsLeft = ({ db, keys, caller }: MemberContext): Promise<void> =>
  requireWithinLimits(db, keys, [{ key: `kyc ${caller.memberId}`, max: perDayMax, window: DAY }])

/** Steps that every submission performs in its transaction, the first and each answer. */
async function completeSubmission(
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

/**
 * Stores pictures before the record, so that a record never refers to a missing one. If storing the record fails, they
 * are deleted again.
 */
async function withStoredPictures<T>(
  photoUrls: readonly string[],
  application: { id: string; dataKey: Buffer },
  context: MemberContext,
  write: (photos: readonly StoredPhoto[]) => Promise<T>,
): Promise<T> {
  const photos: StoredPhoto[] = []
  try {
    for (const [n, photo] of photoUrls.entries()) {
      const picture = await takePicture(photo, `photoUrls.${n}`, context)
      photos.push(await storePhoto(context, application.dataKey, application.id, picture))
    }
    return await write(photos)
  } catch (error) {
    await discardFiles(
      context.db,
      context.files,
      photos.map(({ fileKey }) => fileKey),
    )
    // Another application is already in review.
    if (isRefusedByIndex(error, 'kyc_application_one_open')) throw new Refused('conflict')
    throw error
  }
}

const takePicture = (photo: string, path: string, context: MemberContext): Promise<Buffer> =>
  photo.startsWith(stagedPrefix)
    ? readStagedPhoto(photo.slice(stagedPrefix.length), path, context)
    : importPhoto(photo, path, { memberId: context.caller.memberId, uploads: context.uploads })
