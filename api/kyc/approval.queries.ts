import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'

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
