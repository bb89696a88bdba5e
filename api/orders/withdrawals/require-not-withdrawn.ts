import type { Tx } from '../../db/database.ts'
import { Refused } from '../../refused.ts'
import { isBeingWithdrawn } from './withdrawal.queries.ts'

/**
 * Rejects completing a locked order that its member is withdrawing from. If finance declines the withdrawal, the order
 * can be completed like any other.
 */
export async function requireNotWithdrawn(db: Tx, orderId: string): Promise<void> {
  if (await isBeingWithdrawn(db, orderId))
    throw new Refused('conflict', { fields: [{ path: 'withdrawal', code: 'unsettled' }] })
}
