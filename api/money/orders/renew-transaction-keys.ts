import { transaction, type Database } from '../../platform/db/database.ts'
import {
  insertOrderStep,
  listStepsWithTransaction,
  markDisputed,
  writeKeyOfStep,
} from './order-history.queries.ts'
import {
  findOtherWithKey,
  listLinesWithoutKey,
  lockOrdersWithOldKeys,
  writeKeyOfLine,
  writeTransactionKey,
  insertRefundTransaction,
  listRefunds,
} from './order-transaction.queries.ts'
import { transactionKey } from './payment.rules.ts'

const batch = 200

/**
 * Renews the transaction keys of stored orders, statement lines, and refunds at startup if this release compares
 * transactions by different rules, which exist only in code. Orders that turn out to name the same transaction keep it,
 * and the pending ones among them wait for finance.
 */
export async function renewTransactionKeys(db: Database): Promise<void> {
  while (await renewSome(db));
  while (await renewSomeLines(db));
  await renewRefunds(db)
}

/** Stores the keys of refund transactions of earlier releases, which stored only the transaction IDs. */
const renewRefunds = (db: Database): Promise<void> =>
  transaction(db, async (db) => {
    for (const { orderId, txId } of await listRefunds(db)) await insertRefundTransaction(db, orderId, txId)
  })

const renewSomeLines = (db: Database): Promise<boolean> =>
  transaction(db, async (db) => {
    const lines = await listLinesWithoutKey(db, batch)
    for (const { id, tx_id } of lines) await writeKeyOfLine(db, id, transactionKey(tx_id))
    return lines.length > 0
  })

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
