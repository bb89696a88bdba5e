import type { Tx } from '../db/database.ts'
import { requireNoSelfPricing } from '../sale/self-pricing.ts'
import type { OrderRow } from './order.queries.ts'
import { isPricedSinceSetting } from './order-step.queries.ts'
import type { Plan } from './plan-change.ts'

const priced = ['amount', 'fabQty', 'payMethod'] as const

/**
 * Enforces the self-pricing restriction on corrections: a colleague can neither correct an order to a price its member
 * set, nor complete one so corrected.
 */
export async function requireNotSelfPriced(
  db: Tx,
  stored: OrderRow,
  { change, asked }: Pick<Plan, 'change' | 'asked'>,
): Promise<void> {
  if (stored.status !== 'pending') return
  const isPriced = priced.some((name) => change[name] !== undefined)
  if (isPriced || (asked === 'completed' && (await isPricedSinceSetting(db, stored))))
    await requireNoSelfPricing(db, stored.member_id)
}
