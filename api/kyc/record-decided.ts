import { decidedStates } from '#contract/webhook-events.ts'
import type { KycState } from '#contract/kyc.ts'
import type { Tx } from '../db/database.ts'
import { recordEvent } from '../webhooks/event.queries.ts'
import { findDecided } from './decided-case.queries.ts'

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
