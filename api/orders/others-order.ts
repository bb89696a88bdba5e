import type { Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { sharesWithOrderOf } from './order-step.queries.ts'
import { lockOrder } from './order.queries.ts'

/**
 * An order that finance is about to change, locked. Nobody decides on an order of their own: whoever pays must not be who
 * finds that it was paid; nor on one whose transaction was named for an order of theirs. With an `updatedAt` that is not the stored one somebody else was faster.
 */
export async function lockOthersOrder(
  db: Tx,
  id: string,
  caller: MemberContext['caller'],
  { updatedAt, txId }: { updatedAt?: string | undefined; txId?: string | null | undefined },
) {
  const order = await lockOrder(db, id)
  if (!order) throw new Refused('not_found')
  const isOwn = order.member_id === caller.memberId
  if (isOwn || (await sharesWithOrderOf(db, caller.memberId, id, txId ?? ''))) throw new Refused('forbidden')
  if (updatedAt !== undefined && updatedAt !== order.updated_at.toISOString()) throw new Refused('conflict')
  return order
}
