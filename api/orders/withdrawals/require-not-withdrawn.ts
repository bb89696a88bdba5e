import type { Tx } from '../../db/database.ts'
import { Refused } from '../../refused.ts'
import { isBeingWithdrawn } from './withdrawal.queries.ts'

/** Of a locked order: nobody is sent what they have withdrawn from. After a refusal it is completed like any other. */
export async function requireNotWithdrawn(db: Tx, orderId: string): Promise<void> {
  if (await isBeingWithdrawn(db, orderId))
    throw new Refused('conflict', { fields: [{ path: 'withdrawal', code: 'unsettled' }] })
}
