import { parseDecimal } from '#contract/decimal.ts'
import { DAY } from '#contract/durations.ts'
import { transaction } from '../db/database.ts'
import { readOrderPolicy, type OrderPolicy } from '../four-eyes/read-policy.ts'
import { findKycStateOfMember } from '../kyc/kyc.queries.ts'
import { auditOrder } from '../orders/audit-order.ts'
import { findChainFlags } from '../orders/console/chain-flags.queries.ts'
import { lockOrder, type OrderRow } from '../orders/order.queries.ts'
import { transactionKey } from '../orders/transaction-key.ts'
import { listChainEvidence } from '../orders/paid-on-chain.queries.ts'
import { isCoveredOnChain } from '../orders/require-payment.ts'
import { takesTwo } from '../orders/two-persons.ts'
import { hasRecordedPayment } from '../orders/unpaid.ts'
import { changeOrder } from '../orders/update-order.ts'
import { Refused } from '../refused.ts'
import type { Services } from '../services.ts'
import { isReady, readEvidence, type Evidence } from './read-evidence.ts'
import { isConfirmedBy } from './judge.rules.ts'

type Needed = Pick<Services, 'db' | 'keys' | 'config'>

/**
 * So long after its deadline a payment that was announced in time may be confirmed, and still be completed by nobody. Who pays with
 * too low a fee chooses when it is, or takes it back: at the price that was promised, that is an option for nothing.
 */
const confirmedWithin = DAY

/**
 * Completes an order whose payment at its own address is exact, final and in time, if the settings say so: by the same way as finance does, and with
 * the same refusals. Whatever is unusual about it is left to people. Answers whether it did.
 */
export async function completeIfPaid(services: Needed, orderId: string): Promise<boolean> {
  const { config, keys } = services
  if (!config.completesPaidOrders) return false
  try {
    return await transaction(services.db, async (db) => {
      const order = await lockOrder(db, orderId)
      const evidence = order && (await readEvidence(db, config, order))
      if (!order || !evidence) return false
      const policy = await readOrderPolicy(db, config, order.member_id)
      if (!isCompletable(policy, order, evidence)) return false
      // Whose approval was withdrawn or has expired gets nothing until somebody has looked at it.
      if ((await findKycStateOfMember(db, order.member_id)) !== 'approved') return false
      // Whether to honor a price that was a mistake is for people to decide.
      if ((await findChainFlags(db, orderId)).is_price_withdrawn) return false
      // Whatever staff set or changed of it, or another order has to do with, is left to people.
      const proven = (await listChainEvidence(db, [orderId])).get(orderId)
      const { amount, fab_qty: fabQty, rate } = order
      if (!isCoveredOnChain(proven, { amount, fabQty, rate })) return false
      const { counted, received } = evidence.verdict
      const paidAt = new Date(
        Math.max(...counted.map((each) => (each.blockAt ?? each.firstSeenAt).getTime())),
      )
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
    // Such as another order with the same transaction: finance sees why.
    if (error instanceof Refused) return false
    throw error
  }
}

export function isCompletable(policy: OrderPolicy, order: OrderRow, evidence: Evidence): boolean {
  const { verdict, judged, isOwnAddress, isStale } = evidence
  const confirmedBy = new Date((judged.deadline ?? judged.placedAt).getTime() + confirmedWithin)
  const isNamed = verdict.counted.some(({ txId }) => transactionKey(txId) === order.tx_key)
  return (
    // What a transaction brought to a shared address may be somebody else's, whoever reported it.
    isOwnAddress &&
    isReady(order, evidence) &&
    !isStale &&
    isNamed &&
    verdict.counted.every((each) => isConfirmedBy(confirmedBy, each)) &&
    order.fab_qty !== null &&
    parseDecimal(order.fab_qty) > 0n &&
    !takesTwo(policy, order.fab_qty) &&
    order.completion_proposed_by === null &&
    !hasRecordedPayment(order)
  )
}
