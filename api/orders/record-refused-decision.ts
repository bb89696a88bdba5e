import type { AuditAction } from '#contract/audit-actions.ts'
import { transaction } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { auditOrder } from './audit-order.ts'

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
