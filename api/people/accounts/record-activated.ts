import type { Tx } from '../../platform/db/database.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'

type Known = Pick<MemberRow, 'activated_at'>

/** Sends the webhook event for the first activation of an account: by a code, a reset, or staff. */
export async function recordActivated(db: Tx, before: Known, { id, activated_at }: MemberRow): Promise<void> {
  if (before.activated_at !== null || activated_at === null) return
  await recordEvent(db, 'member.activated', id, { memberId: id, activatedAt: activated_at.toISOString() })
}
