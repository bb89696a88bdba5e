import type { AuditAction } from '#contract/platform/audit-actions.ts'
import { type Tx, transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { sharesWithOrderOf, auditOrder } from './order-history.queries.ts'
import { lockOrder } from './order.queries.ts'

/**
 * Locks an order that finance is about to change. Officers can't decide on their own order, because payers must not
 * confirm their own payments, nor on an order that shares a transaction with one of theirs. Throws `conflict` if
 * `updatedAt` is given and is not the stored one.
 */
export async function lockOtherMembersOrder(
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

function actionOf(error: unknown): AuditAction | undefined {
  if (!(error instanceof Refused)) return undefined
  if (error.code === 'forbidden') return 'order-own-refused'
  return error.fields.some(({ code }) => code === 'second_person') ? 'order-self-approval-refused' : undefined
}

/**
 * Runs `work`, in which finance acts on an order, and logs the attempt if the order concerns the caller or the caller
 * would approve their own proposal.
 */
export async function recordingRefusedDecision<T>(
  { db, caller }: Pick<MemberContext, 'db' | 'caller'>,
  orderId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const action = actionOf(error)
    if (action) await transaction(db, (db) => auditOrder(db, caller.memberId, action, orderId))
    throw error
  }
}
