import { sql, type Selectable } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { KycState } from '#contract/people/kyc.ts'
import { decidedStates } from '#contract/integrations/webhook-events.ts'
import { readPage, type Page } from '../../platform/db/read-page.ts'
import { columnsOf } from '../../platform/db/columns-of.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/rows.ts'
import { ago, isSameEthAddress } from '../../platform/db/expressions.ts'
import { Owned } from '../../platform/http/owned.ts'
import { openStates } from './kyc.rules.ts'
import { insertKycPhotos, type StoredPhoto } from './kyc-photo.queries.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'

export type KycFilter = { memberId?: string; email?: string; ethAddress?: string }

export type Applicant = {
  fullName: string
  lastName: string
  country: string
  /** Date of birth, for example `2000-12-31`; empty if it was not required. */
  dateOfBirth: string
  email: string
  ethAddress: string
  btcAddress: string
}

export const applicantColumns = {
  fullName: 'full_name',
  lastName: 'last_name',
  country: 'country',
  dateOfBirth: 'date_of_birth',
  email: 'email',
  ethAddress: 'eth_address',
  btcAddress: 'btc_address',
} as const satisfies Record<keyof Applicant, keyof Selectable<DB['kyc_application']>>

/** Minimum number of decisions for a meaningful statistic. */
const decisionsToTell = 5

/** More decisions would not change the result. */
const decisionsMax = 5000

/** When the last decided ones started waiting. For answered ones, part of the time was the applicant's. */
export const lastDecisions = (age: number) => sql`select decided_at, waiting_since from kyc_application
  where decided_at > ${ago(age)} and round = 1 order by decided_at desc limit ${decisionsMax}`

export const living = (db: Tx) => db.selectFrom('kyc_application').selectAll().where('deleted_at', 'is', null)

export type KycRow = Selectable<DB['kyc_application']>

export const findKyc = async (db: Tx, id: string) =>
  new Owned(await living(db).where('id', '=', id).executeTakeFirst())

/** For staff: reaches every application. */
export const findAnyKyc = (db: Tx, id: string) => living(db).where('id', '=', id).executeTakeFirst()

export const lockKyc = (db: Tx, id: string) => living(db).where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Cases for officers: every application, and of a deleted one the proposal of a final refusal, until a second
 * officer has confirmed or dismissed it.
 */
export const isCase = sql<boolean>`(kyc_application.deleted_at is null
  or (kyc_application.final_proposed_by is not null and not kyc_application.is_final))`

export const findAnyCase = (db: Tx, id: string) =>
  db.selectFrom('kyc_application').selectAll().where('id', '=', id).where(isCase).executeTakeFirst()

export const lockCase = (db: Tx, id: string) =>
  db
    .selectFrom('kyc_application')
    .selectAll()
    .where('id', '=', id)
    .where(isCase)
    .forUpdate()
    .executeTakeFirst()

/**
 * A member's identity status: approved while an approval is valid, even if a newer application is pending,
 * unless that was finally refused; otherwise the state of the newest application, or `none`.
 */
export const findKycStateOfMember = async (db: Tx, memberId: string): Promise<KycState | 'none'> =>
  (await findDecisiveKyc(db, memberId))?.status ?? 'none'

/** The country of the member's approved identity, as it was typed; undefined if no approval is valid. */
export async function findApprovedCountry(db: Tx, memberId: string): Promise<string | undefined> {
  const row = await findDecisiveKyc(db, memberId)
  return row?.status === 'approved' ? row.country : undefined
}

const findDecisiveKyc = (db: Tx, memberId: string) =>
  db
    .selectFrom('kyc_application')
    .select(['status', 'country'])
    .where('deleted_at', 'is', null)
    .where('member_id', '=', memberId)
    .orderBy(isApprovedStill, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

const isApprovedStill = sql<boolean>`status = 'approved' and not exists (
  select from kyc_application other
  where other.member_id = kyc_application.member_id and other.is_final and other.deleted_at is null)`

/** The member's newest application. */
export const findNewestKyc = (db: Tx, memberId: string) =>
  living(db)
    .where('member_id', '=', memberId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The member's approvals, including those followed by a newer one. */
export const lockApprovalsOf = (db: Tx, memberId: string) =>
  living(db)
    .where('member_id', '=', memberId)
    .where('status', '=', 'approved')
    .orderBy('id')
    .forUpdate()
    .execute()

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
  await insertKycPhotos(db, row, application.photos, 0)
  return row
}

export const updateKycRow = (
  db: Tx,
  id: string,
  change: {
    applicant?: Applicant
    status?: KycState
    reason?: string
    note?: string
    decidedBy?: string
    assigneeId?: string | null
  },
) =>
  db
    .updateTable('kyc_application')
    .set({
      ...(change.applicant ? columnsOf(applicantColumns, change.applicant) : {}),
      ...(change.status ? { status: change.status } : {}),
      ...(change.reason !== undefined ? { reason: change.reason } : {}),
      ...(change.note !== undefined ? { note: change.note } : {}),
      ...(change.assigneeId !== undefined
        ? { assignee_id: change.assigneeId, assigned_at: change.assigneeId && sql<Date>`now()` }
        : {}),
      ...(change.decidedBy ? { decided_by: change.decidedBy, decided_at: sql<Date>`now()` } : {}),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const withoutProposals = {
  final_proposed_by: null,
  final_proposed_at: null,
  final_proposed_reason: '',
  approval_proposed_by: null,
  approval_proposed_at: null,
} as const

/**
 * Starts the next submission of the same application. Decisions and proposals about the previous one become history.
 * The case has been waiting since its first submission, and returns to its reviewer.
 */
export const beginRound = (
  db: Tx,
  id: string,
  change: {
    applicant: Applicant
    sealedDataKey: Buffer
    photoCount: number
    reviewerId: string | null
    /** No data used in the screening has changed. */
    isScreeningKept: boolean
  },
) =>
  db
    .updateTable('kyc_application')
    .set({
      ...columnsOf(applicantColumns, change.applicant),
      status: 'submitted',
      round: sql<number>`round + 1`,
      sealed_data_key: change.sealedDataKey,
      photo_count: change.photoCount,
      reason: '',
      assignee_id: change.reviewerId,
      assigned_at: change.reviewerId && sql<Date>`now()`,
      decided_by: null,
      decided_at: null,
      ...withoutProposals,
      ...(change.isScreeningKept ? {} : { screening_read_at: null, screening_read_by: null }),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function insertKycStep(
  db: Tx,
  step: {
    id: string
    from: KycState
    to: KycState
    reason: string
    by: string | null
    earlier?: Partial<Applicant>
  },
): Promise<void> {
  await db
    .insertInto('kyc_step')
    .values({
      application_id: step.id,
      from_status: step.from,
      to_status: step.to,
      reason: step.reason,
      by_member_id: step.by,
      earlier: step.earlier ? JSON.stringify(step.earlier) : null,
    })
    .execute()
  // Written with every decision.
  await recordDecided(db, step)
}

/** The 90th percentile of the decision time of recent applications, in hours. */
export async function findUsualHours(db: Tx): Promise<number | null> {
  const { rows } = await sql<{ hours: number | null; decided: number }>`
    select extract(epoch from percentile_cont(0.9) within group (order by decided_at - waiting_since)) / 3600 as hours,
      count(*)::int as decided
    from (${lastDecisions(90 * DAY)}) decided`.execute(db)
  const row = rows[0]
  return row?.hours != null && row.decided >= decisionsToTell ? Math.max(1, Math.ceil(row.hours)) : null
}

/** Whether an application of the member was refused permanently. */
export async function isFinallyRejected(db: Tx, memberId: string): Promise<boolean> {
  const row = await living(db)
    .where('member_id', '=', memberId)
    .where('is_final', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const listKycSteps = (db: Tx, applicationId: string) =>
  db.selectFrom('kyc_step').selectAll().where('application_id', '=', applicationId).orderBy('id').execute()

/** The member of the case, and the time of the deciding transaction. */
const findDecided = (db: Tx, id: string) =>
  db
    .selectFrom('kyc_application')
    .select(['member_id', sql<Date>`now()`.as('at')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Queues the webhook event of a decision in its transaction, without the person and the reason. */
async function recordDecided(
  db: Tx,
  { id, from, to }: { id: string; from: KycState; to: KycState },
): Promise<void> {
  const status = decidedStates.find((state) => state === to)
  if (!status) return
  const { member_id, at } = await findDecided(db, id)
  await recordEvent(db, 'case.decided', id, {
    caseId: id,
    memberId: member_id,
    status,
    previousStatus: from,
    decidedAt: at.toISOString(),
  })
}

/** Locks approvals decided longer ago than `age`, oldest first. Concurrent instances get different ones. */
const lockApprovals = (db: Tx, age: number, limit: number) =>
  db
    .selectFrom('kyc_application')
    .selectAll()
    .where('status', '=', 'approved')
    .where('deleted_at', 'is', null)
    .where('decided_at', '<', ago(age))
    .orderBy('decided_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()

/** Whether a newer application of the same member is in one of the states. */
const isFollowedBy = (states: readonly string[]) => sql<boolean>`exists (
  select from kyc_application newer
  where newer.member_id = kyc_application.member_id and newer.created_at > kyc_application.created_at
    and newer.deleted_at is null and newer.status = any (${states}::kyc_state[]))`

/** Approvals whose members were not notified yet and have not submitted again. */
export const lockApprovalsToRenew = (db: Tx, age: number, limit: number) =>
  lockApprovals(db, age, limit)
    .where('expiry_told_at', 'is', null)
    .where(sql<boolean>`not ${isFollowedBy(['submitted', 'in_review', 'approved'])}`)
    .execute()

export const lockApprovalsPast = (db: Tx, age: number, limit: number) =>
  lockApprovals(db, age, limit)
    .select(isFollowedBy(['approved']).as('is_renewed'))
    .execute()

export const markExpiryNotified = (db: Tx, id: string) =>
  db
    .updateTable('kyc_application')
    .set({ expiry_told_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
