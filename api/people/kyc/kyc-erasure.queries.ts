import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import type { Keys } from '../../platform/keys.ts'
import { deleteNotesAbout } from '../notes/note.queries.ts'
import { deleteFingerprints } from './fingerprint.queries.ts'
import { saveFingerprints } from './fingerprints.ts'
import {
  living,
  withoutProposals,
  type applicantColumns,
  type Applicant,
  type KycRow,
} from './kyc.queries.ts'
import { isRetained, retainedStates } from './kyc.rules.ts'

/**
 * Without the data key, no one can read the pictures. A backup still contains it: after a restore it is destroyed
 * again, see `api/platform/erasure-notes`.
 */
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

/** Keeps a stub with dates and states. */
export async function destroyDocuments(db: Tx, id: string): Promise<void> {
  await emptyApplication(db, id)
  await db
    .updateTable('kyc_application')
    .set({
      ...withoutProposals,
      reason: '',
      is_final: false,
      deleted_at: sql<Date>`coalesce(deleted_at, now())`,
    })
    .where('id', '=', id)
    .execute()
  await db.updateTable('kyc_step').set({ reason: '' }).where('application_id', '=', id).execute()
  await deleteFingerprints(db, id)
}

/**
 * Deletes what the applicant may delete at any time. For a final rejection, the decision, its reason, and its
 * fingerprints are kept; for a proposed one, the proposal is kept until a second officer has answered it. No deletion
 * undoes officers' decisions.
 */
export async function destroyForApplicant(db: Tx, keys: Keys, row: KycRow): Promise<void> {
  if (!row.is_final && row.final_proposed_by === null) return destroyDocuments(db, row.id)
  // While they can still be created.
  if (row.full_name !== '') await saveFingerprints(db, keys, row)
  await emptyApplication(db, row.id)
  if (!row.is_final)
    await db
      .updateTable('kyc_application')
      .set({ deleted_at: sql<Date>`now()` })
      .where('id', '=', row.id)
      .execute()
}

async function emptyApplication(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('kyc_application')
    .set({
      ...withoutPhotos,
      ...withoutApplicant,
      note: '',
      approval_proposed_by: null,
      approval_proposed_at: null,
      assignee_id: null,
      assigned_at: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('kyc_photo')
    .set({ content_hash: null, reason: '', note: '' })
    .where('application_id', '=', id)
    .execute()
  await db.updateTable('kyc_step').set({ earlier: null }).where('application_id', '=', id).execute()
  await deleteNotesAbout(db, { kind: 'kyc', id })
}

/**
 * Erases a member's applications, except identities that the law requires to be retained. Locked, because they
 * may be decided meanwhile.
 */
export async function eraseKycOfMember(db: Tx, keys: Keys, memberId: string): Promise<void> {
  const rows = await living(db).where('member_id', '=', memberId).orderBy('id').forUpdate().execute()
  for (const row of rows) if (!isRetained(row.status)) await destroyForApplicant(db, keys, row)
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

/**
 * Deletes retained identities whose members were erased more than `age` milliseconds ago, and unanswered
 * proposals about applications deleted as long ago.
 */
export async function destroyDocumentsOfErased(db: Tx, age: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select a.id from member m join kyc_application a on a.member_id = m.id
    where m.erased_at < ${ago(age)} and (a.deleted_at is null or a.final_proposed_by is not null or a.note <> '')
    union
    select id from kyc_application
    where deleted_at < ${ago(age)} and (final_proposed_by is not null or note <> '')`.execute(db)
  for (const row of rows) await destroyDocuments(db, row.id)
}

/**
 * A note changes an application but not the date of its decision, from which the retention period announced to
 * the applicant runs.
 */
const sinceDecision = sql<Date>`coalesce(decided_at, updated_at)`

/**
 * Applications whose pictures were refused or left unanswered `stale` ago, or approved `kept` ago. Concurrent
 * instances get different ones.
 */
export const lockPhotosDue = (db: Tx, age: { stale: number; kept: number }, limit: number) =>
  db
    .selectFrom('kyc_application')
    .select(['id', 'status', 'photo_count'])
    .where('sealed_data_key', 'is not', null)
    .where((where) =>
      where.or([
        where.and([
          where('status', 'in', ['rejected', 'more_info']),
          where(sinceDecision, '<', ago(age.stale)),
        ]),
        where.and([where('status', 'in', retainedStates), where('decided_at', '<', ago(age.kept))]),
      ]),
    )
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

/** For an application restored from a backup: the pictures that were deleted, and none that were sent later. */
export const destroyRevivedPhotos = (db: Tx, id: string, destroyedAt: Date) =>
  sql`
    update kyc_application set sealed_data_key = null, photo_count = 0
    where id = ${id} and not exists (
      select from kyc_photo where application_id = kyc_application.id and created_at > ${destroyedAt})`.execute(
    db,
  )

export const destroyPhotos = (db: Tx, id: string) =>
  db.updateTable('kyc_application').set(withoutPhotos).where('id', '=', id).execute()
