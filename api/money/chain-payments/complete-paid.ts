import { parseDecimal } from '#contract/platform/decimal.ts'
import { findChainPayment, leaveToPerson } from '../chains/chain-payment.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { readOrderPolicy, type OrderPolicy } from '../../people/four-eyes/read-policy.ts'
import { auditOrder } from '../orders/order-history.queries.ts'
import { listChainEvidence } from '../orders/order-change.queries.ts'
import { lockOrder, type OrderRow } from '../orders/order.queries.ts'
import { transactionKey } from '../orders/payment.rules.ts'
import { findPersonCause } from '../orders/person-cause.ts'
import { isCoveredOnChain } from '../orders/order-requirements.ts'
import { exceedsProgramTotal, takesTwo } from '../orders/four-eyes.ts'
import { hasRecordedPayment } from '../orders/order.rules.ts'
import { changeOrder } from '../orders/update-order.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { isReady, readEvidence, type Evidence } from './read-evidence.ts'

type Needed = Pick<Services, 'db' | 'keys' | 'config'>

/**
 * Completes an order whose payment at its own address is exact, final, and in time, if the settings allow it, with the
 * same rules and rejections as for finance. Anything unusual is left to a person. Returns whether it completed the
 * order.
 */
export async function completeIfPaid(services: Needed, orderId: string): Promise<boolean> {
  const { config, keys } = services
  if (!config.completesPaidOrders) return false
  try {
    return await transaction(services.db, async (db) => {
      const order = await lockOrder(db, orderId)
      const evidence = order && (await readEvidence(db, config, order))
      if (!order || !evidence) return false
      const policy = await readOrderPolicy(db, config)
      if (!isCompletable(policy, order, evidence)) return false
      // An order that staff changed, or that is connected with another order, is left to a person.
      const proven = (await listChainEvidence(db, [orderId])).get(orderId)
      const { amount, fab_qty: fabQty, rate } = order
      if (!isCoveredOnChain(proven, { amount, fabQty, rate })) return false
      const { counted, received } = evidence.verdict
      const paidAt = lastBlockAt(counted)
      if (!paidAt) return false
      if (await isLeftToPerson(db, config, policy, { order, paidAt })) return false
      await changeOrder(
        db,
        order,
        { status: 'completed', paidAmount: received, paidAt: paidAt.toISOString() },
        { config, keys, caller: { memberId: null }, hasEvidence: true },
      )
      await auditOrder(db, null, 'order-completed-by-chain', orderId, { status: 'completed' })
      return true
    })
  } catch (error) {
    // For example, another order has the same transaction: finance sees the reason.
    if (error instanceof Refused) return false
    throw error
  }
}

/** Returns when the last of the transfers was confirmed, or null if one isn't. */
const lastBlockAt = (counted: Evidence['verdict']['counted']): Date | null =>
  counted.length > 0 && counted.every(({ blockAt }) => blockAt !== null)
    ? new Date(Math.max(...counted.map(({ blockAt }) => blockAt!.getTime())))
    : null

/**
 * Whether a person must complete the paid order. The list of orders shows if its price changed a lot within the day
 * before it was placed, or if the program completed its total for the day.
 */
async function isLeftToPerson(
  db: Tx,
  config: Config,
  policy: OrderPolicy,
  { order, paidAt }: { order: OrderRow; paidAt: Date },
): Promise<boolean> {
  if ((await findChainPayment(db, order.id))?.left_to_person) return true
  const cause = await findPersonCause(db, config, order, paidAt)
  if (cause === 'new_price') await leaveToPerson(db, order.id, cause)
  if (cause) return true
  if (!(await exceedsProgramTotal(db, policy, order.fab_qty ?? '0'))) return false
  await leaveToPerson(db, order.id, 'program_limit')
  return true
}

function isCompletable(policy: OrderPolicy, order: OrderRow, evidence: Evidence): boolean {
  const { verdict, isOwnAddress, isStale } = evidence
  const isNamed = verdict.counted.some(({ txId }) => transactionKey(txId) === order.tx_key)
  return (
    // A transaction to a shared address may be someone else's, regardless of who reported it.
    isOwnAddress &&
    isReady(order, evidence) &&
    !isStale &&
    isNamed &&
    // Without a deadline, nothing says until when the price applies.
    order.pay_before !== null &&
    order.fab_qty !== null &&
    parseDecimal(order.fab_qty) > 0n &&
    !takesTwo(policy, order.fab_qty) &&
    order.completion_proposed_by === null &&
    !hasRecordedPayment(order)
  )
}
