import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { requireTxId, retryUntilTransactionDecided } from './claim-transaction.ts'
import { dispute } from './dispute.ts'
import { withDeadline } from './name-transaction.ts'
import { listOrdersWithTransaction, lockOrders } from './order.queries.ts'
import { nameTransaction } from './record-transaction.ts'
import { lockOwnOrder } from './own-order.ts'
import { lockTransactionKeys } from './transaction-history.queries.ts'
import { transactionKey } from './transaction-key.ts'

const reportsPerHourMax = 20

/**
 * A report keeps a pending order from being canceled at its deadline. A report after the deadline finds the order
 * canceled, even if the worker has not processed it yet, and is flagged.
 */
export const reportPayment: Handler<typeof api.reportPayment> = async ({ params, body }, context) => {
  const { keys, caller } = context
  await requireWithinLimits(context.db, keys, [
    { key: `report payment ${caller.memberId}`, max: reportsPerHourMax, window: HOUR },
  ])
  const outcome = await retryUntilTransactionDecided(() =>
    transaction(context.db, async (db) => {
      // Both orders are always locked in the same order, so that members who claim each other's transactions can't
      // deadlock.
      const named = await listOrdersWithTransaction(db, body.txId, params.id)
      if (named.length > 0) await lockOrders(db, [params.id, ...named])
      const order = withDeadline(await lockOwnOrder(db, params.id, caller))
      if (order.status === 'completed') throw new Refused('conflict')
      const txId = requireTxId(order, body.txId)
      // Otherwise, the same transaction could be recorded as a refund at the same time.
      await lockTransactionKeys(db, [transactionKey(txId)])
      const others =
        transactionKey(txId) === order.tx_key ? [] : await listOrdersWithTransaction(db, txId, order.id)
      return others.length > 0
        ? dispute(db, context, order, { txId, others, by: caller.memberId })
        : nameTransaction(db, context, order, { txId, by: caller.memberId })
    }),
  )
  // Thrown outside the transaction, so that the recorded claim is committed.
  if (outcome instanceof Refused) throw outcome
  return outcome
}
