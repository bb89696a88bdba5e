import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'
import { withoutPhotos } from './kyc-erasure.queries.ts'
import { retainedStates } from './kyc.rules.ts'

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
