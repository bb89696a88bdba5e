import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, selectStaffNameWithAddress } from '../../platform/db/expressions.ts'
import { approvers, type ApproverRule } from '../members/approver.queries.ts'

const requests = (db: Tx, memberId: string) =>
  db
    .selectFrom('erasure_request')
    .innerJoin('member_summary', 'member_summary.id', 'erasure_request.member_id')
    .leftJoin('member', 'member.id', 'erasure_request.opened_by')
    .select(['opened_by', 'opened_at', 'reason', selectStaffNameWithAddress('member').as('opener')])
    .where('member_id', '=', memberId)

/** The open one: it ends when the member signs in. */
export const findErasureRequest = (db: Tx, memberId: string) =>
  requests(db, memberId).whereRef('last_sign_in_at', '<', 'opened_at').executeTakeFirst()

/** How long the member can stop an erasure before a second person carries it out, in milliseconds. */
export const erasureWait = DAY

/**
 * Due requests that the staff member can carry out: opened by another person who is still staff, about a member whose
 * account could still be erased and who hasn't signed in since.
 */
export const erasuresWaitingFor = (db: Tx, rule: ApproverRule, staffId: string) =>
  db
    .selectFrom('erasure_request')
    .innerJoin('member_summary', 'member_summary.id', 'erasure_request.member_id')
    .innerJoin('member', 'member.id', 'erasure_request.member_id')
    .where('erasure_request.opened_at', '<=', ago(erasureWait))
    .whereRef('member_summary.last_sign_in_at', '<', 'erasure_request.opened_at')
    .where('member_summary.is_staff', '=', false)
    .where('member.closed_at', 'is', null)
    .where('member.id', '<>', staffId)
    .where('erasure_request.opened_by', '<>', staffId)
    .where('erasure_request.opened_by', 'in', approvers(db, rule, 'employee').select('id'))

/**
 * The caller has locked the member. The time is taken under this lock, like that of a sign-in, so that both
 * compare in their true order.
 */
export async function insertErasureRequest(
  db: Tx,
  request: { memberId: string; openedBy: string; reason: string },
): Promise<Date> {
  await deleteErasureRequest(db, request.memberId)
  const row = await db
    .insertInto('erasure_request')
    .values({
      member_id: request.memberId,
      opened_by: request.openedBy,
      opened_at: sql<Date>`clock_timestamp()`,
      reason: request.reason,
    })
    .returning('opened_at')
    .executeTakeFirstOrThrow()
  return row.opened_at
}

export async function deleteErasureRequest(db: Tx, memberId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('erasure_request')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
