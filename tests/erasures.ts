import { sql } from 'kysely'
import { transaction } from '#api/platform/db/database.ts'
import { insertErasureRequest } from '#api/people/accounts/erasure-request.queries.ts'
import type { TestApi } from './setup/start-api.ts'

/** A request for the erasure of a member that a second person can carry out. */
export async function insertDueErasure(started: TestApi, memberId: string, openedBy: string): Promise<void> {
  const { db } = started.services
  const reason = 'By letter of 3 May, signature compared.'
  await transaction(db, (db) => insertErasureRequest(db, { memberId, openedBy, reason }))
  await letErasureBeDue(started, memberId)
}

export async function letErasureBeDue(
  { services: { db } }: Pick<TestApi, 'services'>,
  memberId: string,
): Promise<void> {
  await db
    .updateTable('erasure_request')
    .set({ opened_at: sql`opened_at - interval '24 hours'` })
    .where('member_id', '=', memberId)
    .execute()
  // Ignores what happened before the request was opened.
  await db
    .updateTable('member_summary')
    .set({ last_sign_in_at: sql`last_sign_in_at - interval '2 days'` })
    .where('id', '=', memberId)
    .execute()
}
