import { transaction, type Database } from '../db/database.ts'
import {
  insertOrderStep,
  listStepsWithTransaction,
  markDisputed,
  writeKeyOfStep,
} from './order-step.queries.ts'
import { findOtherWithKey, lockOrdersWithOldKeys, writeTransactionKey } from './transaction-key.queries.ts'
import { transactionKey } from './transaction-key.ts'

const batch = 200

/**
 * At the start of a release that compares transactions by other rules, the keys of stored orders are made anew: only the
 * program knows the rules. Orders that turn out to name one transaction keep it, and those of them that are pending wait
 * for finance.
 */
export async function renewTransactionKeys(db: Database): Promise<void> {
  while (await renewSome(db));
}

const renewSome = (db: Database): Promise<boolean> =>
  transaction(db, async (db) => {
    const orders = await lockOrdersWithOldKeys(db, batch)
    for (const order of orders) {
      const key = transactionKey(order.tx_id)
      for (const step of await listStepsWithTransaction(db, order.id))
        await writeKeyOfStep(db, step.id, transactionKey(step.tx_id))
      const other = key === '' || order.is_tx_shared ? undefined : await findOtherWithKey(db, key, order.id)
      await writeTransactionKey(db, order.id, key, order.is_tx_shared || other !== undefined)
      const waiting = other ? [order, other].filter(({ status }) => status === 'pending') : []
      for (const { id } of waiting) {
        await markDisputed(db, [id], id)
        await insertOrderStep(db, id, { kind: 'disputed', by: null, txId: order.tx_id })
      }
    }
    return orders.length > 0
  })
