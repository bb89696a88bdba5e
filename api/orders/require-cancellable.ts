import type { CancellingNeed } from '#contract/console-orders.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { recordFourEyes } from '../four-eyes/record-changes.ts'
import { readOrderPolicy } from '../four-eyes/read-policy.ts'
import { refusedField } from '../refused.ts'
import { requireSettled } from './completing.ts'
import { largestQuantity } from './largest-quantity.queries.ts'
import { hasMoney } from './money-received.queries.ts'
import type { OrderRow } from './order.queries.ts'
import type { Changing, Plan } from './plan-change.ts'
import { takesTwo } from './four-eyes.ts'

/**
 * Returns what staff need to cancel a pending order. Once money arrived, an order that needs two approvals can only end
 * through the member's withdrawal.
 */
export async function cancellingNeedOf(db: Tx, config: Config, stored: OrderRow): Promise<CancellingNeed> {
  // A reported transaction proves nothing, but its member may have paid and must learn why the order ended.
  if (!(await hasMoney(db, stored))) return stored.tx_id === '' ? 'nothing' : 'reason'
  const policy = await readOrderPolicy(db, config, stored.member_id)
  return takesTwo(policy, await largestQuantity(db, stored)) ? 'withdrawal' : 'reason'
}

/** Rejects canceling an order if what it needs is missing. */
export async function requireCancellable(
  db: Tx,
  stored: OrderRow,
  { settled, reason }: Pick<Plan, 'settled' | 'reason'>,
  context: Pick<Changing, 'config' | 'keys'>,
): Promise<void> {
  // Resolving a dispute needs a reason; a late report stays with the canceled order.
  requireSettled({ ...stored, is_reported_late: false }, settled)
  const need = await cancellingNeedOf(db, context.config, stored)
  if (need === 'nothing') return
  await recordFourEyes(db, context)
  if (need === 'withdrawal') throw refusedField('status', 'refund_first')
  if (reason === '') throw refusedField('reason', 'required')
}
