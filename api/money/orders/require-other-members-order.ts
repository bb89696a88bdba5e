import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { type Tx, transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { sharesWithOrderOf } from './order-history.queries.ts'
import { lockOrder } from './order.queries.ts'

/** Thrown when an officer would decide about an order of their own, or one that shares a transaction with theirs. */
export class OwnOrder extends Refused {
  readonly orderId: string

  constructor(orderId: string) {
    super('forbidden')
    this.orderId = orderId
  }
}

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
  if (isOwn || (await sharesWithOrderOf(db, caller.memberId, id, txId ?? ''))) throw new OwnOrder(id)
  if (updatedAt !== undefined && updatedAt !== order.updated_at.toISOString()) throw new Refused('conflict')
  return order
}

type Attempt = { action: AuditActionOn<'order'>; orderId: string | null }

function attemptOf(error: unknown, orderId: string | null): Attempt | undefined {
  if (error instanceof OwnOrder) return { action: 'order-own-refused', orderId: error.orderId }
  const isSecond = error instanceof Refused && error.fields.some(({ code }) => code === 'second_person')
  return isSecond ? { action: 'order-self-approval-refused', orderId } : undefined
}

/**
 * Runs `work`, in which finance acts on an order or on a line of a statement, and logs the attempt if it concerns an
 * order of the caller, or if the caller would approve their own proposal. Lines have no proposals, so their `orderId`
 * is null.
 */
export async function recordingRefusedDecision<T>(
  { db, caller }: Pick<MemberContext, 'db' | 'caller'>,
  orderId: string | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const attempt = attemptOf(error, orderId)
    if (attempt)
      await transaction(db, (db) =>
        recordAudit(db, {
          actorId: caller.memberId,
          action: attempt.action,
          subjectKind: 'order',
          subjectId: attempt.orderId,
        }),
      )
    throw error
  }
}
