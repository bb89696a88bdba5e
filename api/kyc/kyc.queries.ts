import { sql, type Selectable } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { KycState } from '#contract/kyc.ts'
import { readPage, type Page } from '../db/read-page.ts'
import { columnsOf } from '../db/columns-of.ts'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'
import { ago } from '../db/time.ts'
import { isSameEthAddress } from '../db/same-eth-address.ts'
import { Owned } from '../http/owned.ts'
import { openStates, retainedStates } from './kyc.rules.ts'
import { dropStagedPhotosOf } from './staged-photo.queries.ts'

export type KycFilter = { memberId?: string; email?: string; ethAddress?: string }

export type Applicant = {
  fullName: string
  lastName: string
  country: string
  /** As `2000-12-31`; empty where it was not asked for. */
  dateOfBirth: string
  email: string
  ethAddress: string
  btcAddress: string
}

const applicantColumns = {
  fullName: 'full_name',
  lastName: 'last_name',
  country: 'country',
  dateOfBirth: 'date_of_birth',
  email: 'email',
  ethAddress: 'eth_address',
  btcAddress: 'btc_address',
} as const satisfies Record<keyof Applicant, keyof Selectable<DB['kyc_application']>>

export type StoredPhoto = { fileKey: string; contentType: string; bytes: number; contentHash: string }

/** The minimum number of decisions for a meaningful statistic. */
const decisionsToTell = 5

const living = (db: Tx) => db.selectFrom('kyc_application').selectAll().where('deleted_at', 'is', null)

export type KycRow = Selectable<DB['kyc_application']>

export const findKyc = async (db: Tx, id: string) =>
  new Owned(await living(db).where('id', '=', id).executeTakeFirst())

/** For staff: reaches every application. */
export const findAnyKyc = (db: Tx, id: string) => living(db).where('id', '=', id).executeTakeFirst()

export const lockKyc = (db: Tx, id: string) => living(db).where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Where a member's identity stands: approved while an approval is valid, even if a newer application is pending, unless that was
 * refused permanently; otherwise the state of the newest application, or `none`.
 */
export async function findKycStateOfMember(db: Tx, memberId: string): Promise<KycState | 'none'> {
  const row = await living(db)
    .where('member_id', '=', memberId)
    .orderBy(isApprovedStill, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.status ?? 'none'
}

const isApprovedStill = sql<boolean>`status = 'approved' and not exists (
  select from kyc_application other
  where other.member_id = kyc_application.member_id and other.is_final and other.deleted_at is null)`

/** Whether an application of the member awaits a decision. */
export async function hasOpenKyc(db: Tx, memberId: string): Promise<boolean> {
  const row = await living(db)
    .where('member_id', '=', memberId)
    .where('status', 'in', openStates)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const listKycOfMember = (db: Tx, memberId: string, filter: KycFilter, page: Page) =>
  listAnyKyc(db, { ...filter, memberId }, page)

/** For staff: reaches every application. */
export function listAnyKyc(db: Tx, filter: KycFilter, page: Page) {
  let query = living(db)
  if (filter.memberId !== undefined) query = query.where('member_id', '=', filter.memberId)
  if (filter.email !== undefined) query = query.where('email', '=', filter.email)
  if (filter.ethAddress !== undefined) query = query.where(isSameEthAddress(filter.ethAddress))
  return readPage(query, page, { at: 'created_at', id: 'id' })
}

export async function insertKyc(
  db: Tx,
  application: Applicant & {
    id: string
    memberId: string
    eventId: string
    sealedDataKey: Buffer
    photos: readonly StoredPhoto[]
  },
): Promise<KycRow> {
  const row = await db
    .insertInto('kyc_application')
    .values({
      id: application.id,
      member_id: application.memberId,
      event_id: application.eventId,
      sealed_data_key: application.sealedDataKey,
      photo_count: application.photos.length,
      ...columnsOf(applicantColumns, application),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .insertInto('kyc_photo')
    .values(
      application.photos.map((photo, n) => ({
        application_id: row.id,
        n,
        file_key: photo.fileKey,
        content_type: photo.contentType,
        bytes: photo.bytes,
        content_hash: photo.contentHash,
      })),
    )
    .execute()
  return row
}

export const updateKycRow = (
  db: Tx,
  id: string,
  change: { applicant?: Applicant; status?: KycState; reason?: string; note?: string; decidedBy?: string },
) =>
  db
    .updateTable('kyc_application')
    .set({
      ...(change.applicant ? columnsOf(applicantColumns, change.applicant) : {}),
      ...(change.status ? { status: change.status } : {}),
      ...(change.reason !== undefined ? { reason: change.reason } : {}),
      ...(change.note !== undefined ? { note: change.note } : {}),
      ...(change.decidedBy ? { decided_by: change.decidedBy, decided_at: sql<Date>`now()` } : {}),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function insertKycStep(
  db: Tx,
  step: { id: string; from: KycState; to: KycState; reason: string; by: string | null },
): Promise<void> {
  await db
    .insertInto('kyc_step')
    .values({
      application_id: step.id,
      from_status: step.from,
      to_status: step.to,
      reason: step.reason,
      by_member_id: step.by,
    })
    .execute()
}

/** The number of hours within which nine of ten recent applications were decided. */
export async function findUsualHours(db: Tx): Promise<number | null> {
  const { rows } = await sql<{ hours: number | null; decided: number }>`
    select extract(epoch from percentile_cont(0.9) within group (order by decided_at - created_at)) / 3600 as hours,
      count(*)::int as decided
    from kyc_application where decided_at > ${ago(90 * DAY)}`.execute(db)
  const row = rows[0]
  return row?.hours != null && row.decided >= decisionsToTell ? Math.max(1, Math.ceil(row.hours)) : null
}

/** Whether an application of the member was refused permanently. */
export async function isRefusedForGood(db: Tx, memberId: string): Promise<boolean> {
  const row = await living(db)
    .where('member_id', '=', memberId)
    .where('is_final', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const findKycPhoto = (db: Tx, applicationId: string, n: number) =>
  db
    .selectFrom('kyc_photo')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('n', '=', n)
    .executeTakeFirst()

/** Destroying the data key destroys the pictures, including copies in backups. */
export const withoutPhotos = { sealed_data_key: null, photo_count: 0 }

const withoutApplicant = {
  full_name: '',
  last_name: '',
  country: '',
  date_of_birth: '',
  email: '',
  eth_address: '',
  btc_address: '',
} satisfies Record<(typeof applicantColumns)[keyof Applicant], ''>

/** What stays is a stub with dates and states. */
export async function destroyDocuments(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('kyc_application')
    .set({
      ...withoutPhotos,
      ...withoutApplicant,
      reason: '',
      note: '',
      assignee_id: null,
      deleted_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('kyc_photo')
    .set({ content_hash: null, reason: '', note: '' })
    .where('application_id', '=', id)
    .execute()
  await db.updateTable('kyc_step').set({ reason: '' }).where('application_id', '=', id).execute()
}

/** Erases the applications of a member, except identities that the law requires to be retained. */
export async function eraseKycOfMember(db: Tx, memberId: string): Promise<void> {
  await dropStagedPhotosOf(db, memberId)
  const rows = await living(db)
    .where('member_id', '=', memberId)
    .where('status', 'not in', retainedStates)
    .execute()
  for (const row of rows) await destroyDocuments(db, row.id)
}

export async function hasRetainedKyc(db: Tx, memberId: string): Promise<boolean> {
  const row = await living(db)
    .where('member_id', '=', memberId)
    .where('status', 'in', retainedStates)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether erasure would destroy an application at once. */
export async function hasKycToErase(db: Tx, memberId: string): Promise<boolean> {
  const row = await living(db)
    .where('member_id', '=', memberId)
    .where('status', 'not in', retainedStates)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Destroys retained identities whose members were erased more than `age` milliseconds ago. */
export async function destroyDocumentsOfErased(db: Tx, age: number): Promise<void> {
  const rows = await living(db)
    .where('member_id', 'in', (query) =>
      query.selectFrom('member').select('id').where('erased_at', '<', ago(age)),
    )
    .execute()
  for (const row of rows) await destroyDocuments(db, row.id)
}

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

export const listKycSteps = (db: Tx, applicationId: string) =>
  db.selectFrom('kyc_step').selectAll().where('application_id', '=', applicationId).orderBy('id').execute()

export async function forgetFile(db: Tx, fileKey: string): Promise<void> {
  await db.deleteFrom('kyc_photo').where('file_key', '=', fileKey).execute()
}
