import { sql } from 'kysely'
import { decidedStates } from '#contract/webhook-events.ts'
import type { KycState } from '#contract/kyc.ts'
import type { Tx } from '../db/database.ts'
import { recordEvent } from '../webhooks/event.queries.ts'

/** The member of the case, and the time of the deciding transaction. */
const findDecided = (db: Tx, id: string) =>
  db
    .selectFrom('kyc_application')
    .select(['member_id', sql<Date>`now()`.as('at')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Queues the webhook event of a decision in its transaction, without the person and the reason. */
export async function recordDecided(
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
