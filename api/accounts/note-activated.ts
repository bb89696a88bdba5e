import type { Tx } from '../db/database.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { noteEvent } from '../webhooks/note-event.ts'

type Known = Pick<MemberRow, 'activated_at'>

/** Machines are told of the change that made an account active for the first time: by a code, a reset or the staff. */
export async function noteActivated(db: Tx, before: Known, { id, activated_at }: MemberRow): Promise<void> {
  if (before.activated_at !== null || activated_at === null) return
  await noteEvent(db, 'member.activated', id, { memberId: id, activatedAt: activated_at.toISOString() })
}
