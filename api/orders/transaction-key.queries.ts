import type { Tx } from '../db/database.ts'

/** Version of the rules in `transaction-key.ts`; the default of the column must be the same. */
const version = 1

export const lockOrdersWithOldKeys = (db: Tx, limit: number) =>
  db
    .selectFrom('token_order')
    .select(['id', 'status', 'tx_id', 'is_tx_shared'])
    .where('tx_key_version', '<', version)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()

/**
 * Returns another order with the same key. The unique index allows only one order per key, apart from orders that share
 * it.
 */
export const findOtherWithKey = (db: Tx, key: string, id: string) =>
  db
    .selectFrom('token_order')
    .select(['id', 'status'])
    .where('tx_key', '=', key)
    .where('is_tx_shared', '=', false)
    .where('id', '!=', id)
    .executeTakeFirst()

/** Lists statement lines of earlier releases, which have no key. */
export const listLinesWithoutKey = (db: Tx, limit: number) =>
  db
    .selectFrom('statement_line')
    .select(['id', 'tx_id'])
    .where('tx_key', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()

export async function writeKeyOfLine(db: Tx, id: string, key: string): Promise<void> {
  await db.updateTable('statement_line').set({ tx_key: key }).where('id', '=', id).execute()
}

export async function writeTransactionKey(db: Tx, id: string, key: string, isShared: boolean): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ tx_key: key, is_tx_shared: isShared, tx_key_version: version })
    .where('id', '=', id)
    .execute()
}
