import { parseDecimal } from '#contract/decimal.ts'
import { DAY } from '#contract/durations.ts'
import { findChainPayment, leaveToPerson } from '../chains/chain-payment.queries.ts'
import type { Config } from '../config.ts'
import { transaction, type Tx } from '../db/database.ts'
import { readOrderPolicy, type OrderPolicy } from '../four-eyes/read-policy.ts'
import { findKycStateOfMember } from '../kyc/kyc.queries.ts'
import { getMemberById } from '../members/member.queries.ts'
import { auditOrder } from '../orders/order-history.queries.ts'
import { findChainFlags, listChainEvidence } from '../orders/order-change.queries.ts'
import { lockOrder, type OrderRow } from '../orders/order.queries.ts'
import { transactionKey } from '../orders/payment.rules.ts'
import { currencyOfOrder } from '../orders/present-order.ts'
import { isCoveredOnChain } from '../orders/order-requirements.ts'
import { exceedsProgramTotal, takesTwo } from '../orders/four-eyes.ts'
import { hasRecordedPayment } from '../orders/order.rules.ts'
import { changeOrder } from '../orders/update-order.ts'
import { Refused } from '../refused.ts'
import { isAtNewPrice } from '../sale/new-price.ts'
import type { Services } from '../services.ts'
import { isReady, readEvidence, type Evidence } from './read-evidence.ts'
import { isConfirmedBy } from './evaluate-payment.rules.ts'

type Needed = Pick<Services, 'db' | 'keys' | 'config'>

/**
 * How long after the deadline a payment announced in time may still complete its order automatically, in milliseconds.
 * A payer with too low a fee can choose when it is confirmed, or cancel it; at the promised price, that would be a free
 * option.
 */
const confirmedWithin = DAY

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
      const policy = await readOrderPolicy(db, config, order.member_id)
      if (!isCompletable(policy, order, evidence)) return false
      // If staff closed the account, or the KYC approval was withdrawn or has expired, a person must decide.
      if ((await getMemberById(db, order.member_id)).closed_at) return false
      if ((await findKycStateOfMember(db, order.member_id)) !== 'approved') return false
      // A person decides whether to honor a mistaken price.
      if ((await findChainFlags(db, orderId)).is_price_withdrawn) return false
      // An order that staff changed, or that is connected with another order, is left to a person.
      const proven = (await listChainEvidence(db, [orderId])).get(orderId)
      const { amount, fab_qty: fabQty, rate } = order
      if (!isCoveredOnChain(proven, { amount, fabQty, rate })) return false
      if (await isLeftToPerson(db, config, policy, order)) return false
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
    // For example, another order has the same transaction: finance sees the reason.
    if (error instanceof Refused) return false
    throw error
  }
}

/**
 * Whether a person must complete the paid order, which the list of orders shows: its price changed a lot within the day
 * before it was placed, or the program completed its total for the day.
 */
async function isLeftToPerson(
  db: Tx,
  config: Config,
  policy: OrderPolicy,
  order: OrderRow,
): Promise<boolean> {
  if ((await findChainPayment(db, order.id))?.left_to_person) return true
  const { pay_method: code, pay_chain: chain, rate, fab_qty: fabQty } = order
  const method = { code, chain: chain ?? 'other', currency: currencyOfOrder(order), rate: rate ?? '0' }
  const isNew = await isAtNewPrice(db, config, { method, placedAt: order.created_at })
  const cause = isNew
    ? 'new_price'
    : (await exceedsProgramTotal(db, policy, fabQty ?? '0'))
      ? 'program_limit'
      : undefined
  if (cause) await leaveToPerson(db, order.id, cause)
  return cause !== undefined
}

function isCompletable(policy: OrderPolicy, order: OrderRow, evidence: Evidence): boolean {
  const { verdict, judged, isOwnAddress, isStale } = evidence
  const confirmedBy = new Date((judged.deadline ?? judged.placedAt).getTime() + confirmedWithin)
  const isNamed = verdict.counted.some(({ txId }) => transactionKey(txId) === order.tx_key)
  return (
    // A transaction to a shared address may be someone else's, regardless of who reported it.
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
